// A chart among blocks: lines, and a band between two of them.
import { useLayoutEffect, useRef } from "preact/hooks";
import { type Chart, ChartTable, type Reader } from "./blocks.tsx";
import { base, colour, figure, POINTS, seatColour } from "./charts.js";
import { drawn } from "./elements.tsx";

function datasets({ band, lines }: Chart, person: Reader["person"]) {
  const quiet = { pointRadius: 0, borderWidth: 1, borderColor: colour("--line"), spanGaps: true };
  const edges = band
    ? [
      { label: band.upper.label, data: band.upper.values, ...quiet, fill: "+1",
        backgroundColor: colour("--accent-soft") || "rgba(120, 120, 120, .2)" },
      { label: band.lower.label, data: band.lower.values, ...quiet },
    ]
    : [];
  return [...edges, ...lines.map(({ label, seat, strong, values }, at) => {
    const drawnBy = seat === undefined ? undefined : person?.(seat);
    const ink = drawnBy ? seatColour(drawnBy) : colour("--accent");
    return { label, data: values, borderColor: ink, backgroundColor: ink, pointRadius: 4, spanGaps: true,
      pointStyle: strong ? "circle" : POINTS[(drawnBy?.index ?? at) % POINTS.length], borderWidth: strong ? 3 : 1.5,
      borderDash: strong ? [] : [4, 4] };
  })];
}

function made(chart: Chart, person: Reader["person"]) {
  return figure({ id: "blocks", title: chart.title, text: chart.text, table: () => drawn(<ChartTable chart={chart} />),
    build() {
      const { axis, options } = base();
      return { type: "line", data: { labels: chart.x, datasets: datasets(chart, person) },
        options: { ...options, plugins: { ...options.plugins, filler: { drawTime: "beforeDatasetsDraw" } },
          scales: { x: axis(""), y: axis(chart.unit) } } };
    } });
}

export function ChartFigure({ chart, person }: { chart: Chart; person: Reader["person"] }) {
  const place = useRef<HTMLDivElement>(null);
  const data = JSON.stringify(chart);
  useLayoutEffect(() => {
    const { node, draw, leave } = made(chart, person);
    place.current!.append(node);
    void draw();
    return () => {
      leave();
      node.remove();
    };
  }, [data]);
  return <div ref={place} />;
}
