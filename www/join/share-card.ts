// The result as a picture to share, without names.
import type { Step } from "../pictures/incomes.tsx";

const COLOURS = ["#f2906f", "#ecb95f", "#b4c587", "#6bc6cb", "#9fb8ff"];

/** The text in lines that fit; a text without blanks is cut between letters. */
function linesIn(draw: CanvasRenderingContext2D, text: string, width: number): string[] {
  const parts = text.includes(" ") ? text.split(/(?<= )/) : [...text];
  const lines = [""];
  for (const part of parts) {
    if (draw.measureText(lines.at(-1) + part).width > width && lines.at(-1)) lines.push("");
    lines[lines.length - 1] += part;
  }
  return lines;
}

/** Draws the card, 1080 by 1350 pixels. `steps`: incomes from the lowest, if there are any. */
export function shareCard(
  { title, headline, question, steps }: { title: string; headline: string; question: string; steps: Step[] | null },
): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [1080, 1350];
  const draw = canvas.getContext("2d")!;
  draw.fillStyle = "#1d4f73";
  draw.fillRect(0, 0, 1080, 1350);
  const write = (text: string, font: string, colour: string, y: number, height: number) => {
    draw.font = font;
    draw.fillStyle = colour;
    return linesIn(draw, text, 920).slice(0, 6).reduce((at, line) => {
      draw.fillText(line, 80, at);
      return at + height;
    }, y);
  };
  write(headline, "600 76px Georgia, 'Noto Serif CJK SC', serif", "#fff",
    write(title, "600 44px system-ui, sans-serif", "#d8e6f0", 130, 56) + 80, 94);
  if (steps) {
    const most = Math.max(...steps.map(({ income }) => income));
    let x = 80;
    steps.forEach(({ income, people }, at) => {
      const [width, height] = [people * 46, (income / most) * 380];
      draw.fillStyle = COLOURS[Math.round((at / Math.max(1, steps.length - 1)) * 4)]!;
      draw.fillRect(x, 1130 - height, width - 4, height);
      for (let one = 0; one < people; one += 1) {
        const middle = x + 46 * one + 22;
        draw.beginPath();
        draw.arc(middle, 1130 - height - 48, 10, 0, 7);
        draw.fill();
        draw.beginPath();
        draw.roundRect(middle - 13, 1130 - height - 36, 26, 34, [13, 13, 0, 0]);
        draw.fill();
      }
      x += width;
    });
  }
  write(question, "600 40px system-ui, sans-serif", "#fff", 1240, 50);
  return canvas;
}
