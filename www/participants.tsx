// How participants and principles are shown: by colour, shape and initial, never by colour alone.
import { drawn, Verbatim } from "./elements.tsx";
import { t, has } from "./i18n.js";

/** What is shown of a participant. */
export interface Person {
  name: string;
  index?: number | undefined;
  kind?: string | undefined;
}

const initials = (name: string) => {
  const words = name.trim().split(/[\s_-]+/).filter(Boolean);
  if (!words.length) return "?";
  const letters = (words.length > 1 ? [words[0], words.at(-1)] : words).map((word) => [...word!][0]);
  return letters.join("").toUpperCase();
};

/** The CSS class with a participant's colour and shape: by position, or by name if there is none. */
export const seatOf = (person?: Partial<Person>) =>
  `seat-${
    (person?.index ?? [...String(person?.name ?? "")].reduce((sum, letter) =>
      (sum * 31 + letter.codePointAt(0)!) % 9973, 7)) % 8
  }`;

/** A participant's symbol. */
export const Avatar = (
  { person, size = "" }: { person?: Person | undefined; size?: "large" | "small" | "tiny" | "" },
) => (
  <span class={`avatar ${seatOf(person)} ${size}`.trim()} aria-hidden="true">
    <span>{initials(person?.name ?? "?")}</span>
  </span>
);
export const avatar = (person?: Person, size?: "large" | "small" | "tiny" | "") =>
  drawn(<Avatar person={person} size={size ?? ""} />);

/** The name and kind. */
export const Name = ({ person }: { person: Person }) => (
  <span class="name">
    <Verbatim>{person.name}</Verbatim>
    <KindTag kind={person.kind} />
  </span>
);

export const KindTag = ({ kind }: { kind?: string | undefined }) => (
  <span class={`tag kind-${kind}`}>{t(`kind.${kind}`)}</span>
);

/** Why an answer could not be read. An unknown code is shown as it is. */
export const reasonText = (
  reason?: string | null,
) => (has(`reason.${reason}`) ? t(`reason.${reason}`) : String(reason ?? ""));
