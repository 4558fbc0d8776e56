// The outcome as a picture to share. It has no names.
import type { Step } from "./incomes.tsx";

const [WIDTH, HEIGHT, EDGE] = [1080, 1350, 90];
const COLOURS = ["#f2906f", "#ecb95f", "#b4c587", "#6bc6cb", "#9fb8ff"];

export interface Card {
  title: string;
  sentence: string;
  /** Below the incomes. */
  question: string;
  /** Incomes from the lowest; may be empty. */
  steps: Step[];
  /** An income that is drawn through. */
  floor: number | null;
}

/** Pieces of a text between which a line may break: after blanks, and in Chinese between characters. */
const pieces = (text: string) =>
  text.split(/(?<= )(?!%)|(?<=[\u3000-\u9fff\uff00-\uffef])(?<![“「（])(?![，。：；！？”」）])/u);

/** Lines that fit. */
function linesOf(context: CanvasRenderingContext2D, text: string): string[] {
  const lines = [""];
  for (const piece of pieces(text)) {
    if (lines.at(-1) && context.measureText((lines.at(-1) + piece).trimEnd()).width > WIDTH - 2 * EDGE) lines.push("");
    lines[lines.length - 1] += piece;
  }
  return lines;
}

/** Draws the card, 1080 by 1350 pixels. */
export function drawCard(canvas: HTMLCanvasElement, { title, sentence, question, steps, floor }: Card) {
  [canvas.width, canvas.height] = [WIDTH, HEIGHT];
  const context = canvas.getContext("2d")!;
  const font = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name) || name.slice(2);
  const [serif, sans] = [font("--serif"), font("--sans")];
  const write = (text: string, face: string, colour: string, y: number, line: number, most: number) => {
    [context.font, context.fillStyle] = [face, colour];
    const lines = linesOf(context, text);
    lines.slice(0, most).forEach((one, at) =>
      context.fillText(at === most - 1 && lines.length > most ? `${one.trimEnd()} …` : one, EDGE, y + at * line)
    );
    return y + Math.min(lines.length, most) * line;
  };
  context.fillStyle = "#1d4f73";
  context.fillRect(0, 0, WIDTH, HEIGHT);
  const top = write(title, `600 44px ${sans}`, "#cfe3f2", 150, 56, 2);
  // Without incomes the sentence has the whole card.
  const size = steps.length ? 76 : 104;
  write(sentence, `700 ${size}px ${serif}`, "#fff", top + 60 + size - 76, size * 1.2, steps.length ? 5 : 8);
  const most = Math.max(...steps.map(({ income }) => income));
  const heightOf = (income: number) => (income / most) * 380;
  let x = EDGE;
  steps.forEach(({ income, people }, at) => {
    const width = (people / 20) * (WIDTH - 2 * EDGE);
    context.fillStyle = COLOURS[Math.round((at / Math.max(1, steps.length - 1)) * 4)]!;
    context.fillRect(x + 2, 1090 - heightOf(income), Math.max(0, width - 4), heightOf(income));
    for (let one = 0; one < people; one += 1) {
      const [middle, feet] = [x + ((one + 0.5) / people) * width, 1082 - heightOf(income)];
      context.beginPath();
      context.arc(middle, feet - 40, 9, 0, 7);
      context.roundRect(middle - 12, feet - 28, 24, 28, [12, 12, 0, 0]);
      context.fill();
    }
    x += width;
  });
  if (floor !== null) {
    [context.strokeStyle, context.lineWidth] = ["#fff", 5];
    context.setLineDash([18, 14]);
    context.beginPath();
    context.moveTo(EDGE - 20, 1090 - heightOf(floor));
    context.lineTo(WIDTH - EDGE + 20, 1090 - heightOf(floor));
    context.stroke();
  }
  if (steps.length) write(question, `600 44px ${sans}`, "#fff", 1210, 56, 2);
}
