// Amounts of money and the costs of runs in words. A missing price is unknown, never zero.
import { language, t } from "./i18n.js";

/** Number format for an amount of this size: small amounts with enough digits to be meaningful. */
export function moneyFormat(amount, currency = "USD") {
  const size = Math.abs(amount);
  const digits = size > 0 && size < 0.0001 ? 6 : size > 0 && size < 0.1 ? 4 : 2;
  return /** @type {const} */ ({ style: "currency", currency, currencyDisplay: "narrowSymbol", minimumFractionDigits: 2,
    maximumFractionDigits: digits });
}

/** Formats an amount of money. */
export const money = (amount, currency) =>
  new Intl.NumberFormat(language(), moneyFormat(amount, currency)).format(amount);

/**
 * The cost of a sum in one line: "$0.12", "$0.12 + unknown", "nothing"; a dash if only programs of the page answered.
 */
export function costText(sum, currency) {
  if (!sum || (sum.own && !sum.cost && !sum.unknown)) return "–";
  if (sum.unknown && !sum.cost) return t("cost.unknown");
  const amount = sum.cost ? money(sum.cost, currency) : t("cost.free");
  return sum.unknown ? t("cost.partly", { amount }) : amount;
}
