// What the page uses of the chart library. It draws on a canvas and styles by the DOM alone, so that it needs no exception in
// the page's security policy.
import { BarController, BarElement, CategoryScale, Chart, Filler, Legend, LinearScale, LineController, LineElement,
  PointElement, Tooltip } from "chart.js";

Chart.register(BarController, LineController, BarElement, LineElement, PointElement, CategoryScale, LinearScale, Filler,
  Legend, Tooltip);
export { Chart };
