// The faces of a table: solid has answered, pale is awaited or has yet to begin, dashed is a computer.
import { Icon, Verbatim } from "../elements.tsx";
import { t } from "../i18n.js";
import { Face, isProgram } from "../pictures/people.tsx";
import type { FaceOf } from "./progress.ts";

/** What a screen reader is told of a face besides its name. */
export const faceText = ({ kind, state }: FaceOf) =>
  [isProgram(kind) && t("room.computer"), state && t(`room.face.${state}`)].filter(Boolean).join(", ");

/** A face with its name below. */
export const NamedFace = ({ of, size }: { of: FaceOf; size: number }) => (
  <li class="named-face" data-state={of.state}>
    <span class="seat-face">
      <Face index={of.index} kind={of.kind} size={size} isPale={of.state === "awaited" || of.state === "later"} />
      {of.state === "done" && (
        <span class="face-tick" aria-hidden="true">
          <Icon name="check" />
        </span>
      )}
    </span>
    <span class="face-name" title={of.name}>
      <Verbatim>{of.name}</Verbatim>
    </span>
    {isProgram(of.kind) && <span class="face-kind" aria-hidden="true">{t("room.computer")}</span>}
    <span class="sr-only">{` ${faceText(of)}`}</span>
  </li>
);
