// What changes with the time: drawn again twice a second.
import { Component } from "preact";
import type { ComponentChild } from "preact";

export class Ticking extends Component<{ children: () => ComponentChild }> {
  #timer = 0;
  override componentDidMount() {
    this.#timer = window.setInterval(() => this.setState({}), 500);
  }
  override componentWillUnmount() {
    clearInterval(this.#timer);
  }
  override render() {
    return this.props.children();
  }
}
