// A chart among blocks: lines, and a band between two of them.
import { useLayoutEffect, useRef } from "preact/hooks";
import { type Chart, ChartTable, type Reader } from "./blocks.tsx";
import { base, colour, figure, POINTS, seatColour } from "./charts.js";
import { drawn } from "./elements.tsx";

type Line = Chart["lines"][number];

/** Each option and each participant has a colour, and lines a shape of their points. */
function look({ seat, number, strong }: Line, at: number, person: Reader["person"]) {
  const sits = seat === undefined ? undefined : person?.(seat);
  const ink = sits ? seatColour(sits) : colour(number === undefined ? "--accent" : `--p${number}`);
  const point = sits?.index ?? (number ?? at + 1) - 1;
  return { borderColor: ink, backgroundColor: ink, pointStyle: strong ? "circle" : POINTS[point % POINTS.length] };
}

function lines({ band, lines }: Chart, person: Reader["person"]) {
  const quiet = { pointRadius: 0, borderWidth: 1, borderColor: colour("--line"), spanGaps: true };
  const edges = band
    ? [
      { label: band.upper.label, data: band.upper.values, ...quiet, fill: "+1",
        backgroundColor: colour("--accent-soft") || "rgba(120, 120, 120, .2)" },
      { label: band.lower.label, data: band.lower.values, ...quiet },
    ]
    : [];
  return [...edges,
    ...lines.map((line, at) => ({ label: line.label, data: line.values, ...look(line, at, person), pointRadius: 4,
      spanGaps: true, borderWidth: line.strong ? 3 : 1.5, borderDash: line.strong ? [] : [4, 4] })
    )];
}

function bars({ lines }: Chart) {
  const ink = ({ number, strong }: Line) =>
    colour(number !== undefined ? `--p${number}` : strong ? "--ink" : "--ink-3");
  return lines.map((line) => ({ label: line.label, data: line.values, backgroundColor: ink(line), pointStyle: "rect",
    maxBarThickness: 90 })
  );
}

function made(chart: Chart, person: Reader["person"]) {
  const { shape, range, unit } = chart;
  const isBars = shape === "bars" || shape === "stacked";
  return figure({ id: "blocks", title: chart.title, text: chart.text, table: () => drawn(<ChartTable chart={chart} />),
    build() {
      const { axis, options } = base();
      const [min, max] = range ?? [];
      const stacked = shape === "stacked";
      return { type: isBars ? "bar" : "line",
        data: { labels: chart.x, datasets: isBars ? bars(chart) : lines(chart, person) },
        options: { ...options, plugins: { ...options.plugins, filler: { drawTime: "beforeDatasetsDraw" } },
          scales: { x: axis("", { stacked, grid: { display: !isBars } }),
            y: axis(unit, { stacked, min, max, reverse: shape === "places", beginAtZero: isBars,
              ...(shape === "lines" ? {} : { ticks: { precision: 0, color: colour("--ink-2") } }) }) } } };
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
  return <div class="chart-place" ref={place} />;
}
