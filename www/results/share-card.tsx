// The outcome as a picture to share. It has no names.
import { useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "../elements.tsx";
import { language, t } from "../i18n.js";
import { twenty } from "../pictures/incomes.tsx";
import type { Engine } from "../view-types.ts";
import { keepsAmount } from "./income-rows.tsx";
import type { Figures } from "./worlds.ts";

const [WIDTH, HEIGHT, EDGE] = [1080, 1350, 90];
const STEPS = ["#f2906f", "#ecb95f", "#b4c587", "#6bc6cb", "#9fb8ff"];

/** What stands on the card. */
export interface Card {
  title: string;
  sentence: string;
  figures: Figures | null;
}

/** Lines of at most so many pixels. Chinese breaks anywhere. */
function linesOf(context: CanvasRenderingContext2D, text: string, width: number): string[] {
  const pieces = language() === "zh"
    ? text.split(/(?<![\w,.“「（])(?![\w,.，。：；！？”」）])/u)
    : text.split(/(?<= )/);
  return pieces.reduce<string[]>((lines, piece) => {
    const last = lines.at(-1);
    const fits = last !== undefined && context.measureText((last + piece).trimEnd()).width <= width;
    return fits ? [...lines.slice(0, -1), last + piece] : [...lines, piece];
  }, []);
}

function write(context: CanvasRenderingContext2D, text: string, font: string, y: number, line: number, most: number) {
  context.font = font;
  const lines = linesOf(context, text, WIDTH - 2 * EDGE);
  lines.slice(0, most).forEach((one, at) =>
    context.fillText(at === most - 1 && lines.length > most ? `${one.trimEnd()} …` : one, EDGE, y + at * line)
  );
  return y + Math.min(lines.length, most) * line;
}

function draw(canvas: HTMLCanvasElement, { title, sentence, figures }: Card) {
  const context = canvas.getContext("2d")!;
  const style = getComputedStyle(document.documentElement);
  const serif = style.getPropertyValue("--serif") || "serif";
  const sans = style.getPropertyValue("--sans") || "sans-serif";
  context.fillStyle = "#1d4f73";
  context.fillRect(0, 0, WIDTH, HEIGHT);
  context.textBaseline = "alphabetic";
  context.fillStyle = "#cfe3f2";
  const top = write(context, title, `600 44px ${sans}`, 150, 56, 2);
  context.fillStyle = "#fff";
  write(context, sentence, `700 76px ${serif}`, top + 60, 92, 5);
  const world = figures?.chosen;
  if (world && figures) {
    const people = twenty(figures.shares);
    const most = Math.max(...world.incomes);
    let x = EDGE;
    world.incomes.forEach((income, at) => {
      const width = (people[at]! / 20) * (WIDTH - 2 * EDGE);
      const height = (income / most) * 380;
      context.fillStyle = STEPS[at]!;
      context.fillRect(x + 2, 1090 - height, Math.max(0, width - 4), height);
      for (let one = 0; one < people[at]!; one += 1) {
        const [middle, feet] = [x + ((one + 0.5) / people[at]!) * width, 1082 - height];
        context.beginPath();
        context.arc(middle, feet - 40, 9, 0, 7);
        context.fill();
        context.beginPath();
        context.roundRect(middle - 12, feet - 28, 24, 28, [12, 12, 0, 0]);
        context.fill();
      }
      x += width;
    });
    if (world.rule === 3 && world.amount && keepsAmount(world)) {
      context.strokeStyle = "#fff";
      context.lineWidth = 5;
      context.setLineDash([18, 14]);
      context.beginPath();
      const y = 1090 - (world.amount / most) * 380;
      context.moveTo(EDGE - 20, y);
      context.lineTo(WIDTH - EDGE + 20, y);
      context.stroke();
    }
  }
  context.fillStyle = "#fff";
  write(context, t("share.ask"), `600 44px ${sans}`, 1210, 56, 2);
}

export function ShareCard({ card, engine }: { card: Card; engine: Engine }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => draw(canvas.current!, card));
  const save = () =>
    canvas.current!.toBlob((blob) => blob && engine.download({ name: "quorate.png", type: "image/png", blob }));
  return (
    <section class="no-print share">
      <h2>{t("share.title")}</h2>
      <canvas ref={canvas} width={WIDTH} height={HEIGHT} role="img" aria-label={`${card.title}. ${card.sentence}`} />
      <div class="row">
        <Button data-testid="share-save" onClick={save}>{t("share.save")}</Button>
        <span class="quiet">{t("share.none")}</span>
      </div>
    </section>
  );
}
