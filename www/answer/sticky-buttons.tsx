// Keeps the buttons under a question in sight while scrolling, unless they would cover the question (large letters, a
// phone held sideways).
import { Component } from "preact";
import type { ComponentChildren, RefObject } from "preact";

/** Largest share of the window. */
const MOST = 0.4;

interface Props {
  lang: string;
  /** Gets the element. */
  place: RefObject<HTMLDivElement>;
  children: ComponentChildren;
}

export class StickyButtons extends Component<Props, { isLarge: boolean }> {
  #sized = new ResizeObserver(() =>
    this.setState({ isLarge: this.props.place.current!.offsetHeight > MOST * innerHeight })
  );

  override componentDidMount() {
    this.#sized.observe(this.props.place.current!);
  }
  override componentWillUnmount() {
    this.#sized.disconnect();
  }
  override render() {
    const { lang, place, children } = this.props;
    return (
      <div class={this.state.isLarge ? "human-foot human-foot-large" : "human-foot"} lang={lang} ref={place}>
        {children}
      </div>
    );
  }
}
