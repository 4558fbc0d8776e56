// The outcome as a picture to share. It has no names.
import { useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "../elements.tsx";
import { t } from "../i18n.js";
import { drawCard } from "../pictures/card.ts";
import { twenty } from "../pictures/incomes.tsx";
import type { Engine } from "../view-types.ts";
import type { Figures } from "./worlds.ts";

/** What stands on the card. */
export interface Card {
  title: string;
  sentence: string;
  figures: Figures | null;
}

function draw(canvas: HTMLCanvasElement, { title, sentence, figures }: Card) {
  const world = figures?.chosen;
  const people = world && twenty(figures!.shares);
  drawCard(canvas, { title, sentence, question: t("share.ask"),
    steps: world?.incomes.map((income, at) => ({ income, people: people![at]! })) ?? [],
    floor: world?.rule === 3 && world.isMet ? world.amount : null });
}

export function ShareCard({ card, engine }: { card: Card; engine: Engine }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => draw(canvas.current!, card));
  const save = () =>
    canvas.current!.toBlob((blob) => blob && engine.download({ name: "quorate.png", type: "image/png", blob }));
  return (
    <section class="no-print share">
      <h2>{t("share.title")}</h2>
      <canvas ref={canvas} role="img" aria-label={`${card.title}. ${card.sentence}`} />
      <div class="row">
        <Button data-testid="share-save" onClick={save}>{t("share.save")}</Button>
        <span class="quiet">{t("share.none")}</span>
      </div>
    </section>
  );
}
