// The host's choice of the connection service: the page's own server, or a broker by its address.
import { useState } from "preact/hooks";
import { t } from "../i18n.js";
import { Field, Select, useUid } from "../inputs.tsx";

/** What signs in to a broker. The password is stored with the room only if `keepPassword` is set. */
export interface Login {
  user?: string;
  password?: string;
  keepPassword?: boolean;
}
/** A connection service as it is entered. */
export interface Service extends Login {
  kind: "beside" | "broker";
  address: string;
}

const STORE = "quorate.connection";
/** The broker that the host has chosen for rooms of this page; null for the page's own server. */
export function chosenBroker() {
  try {
    return localStorage.getItem(STORE);
  } catch {
    return null;
  }
}
/** Stores that choice; null forgets it. */
export function chooseBroker(address: string | null) {
  try {
    if (address) localStorage.setItem(STORE, address);
    else localStorage.removeItem(STORE);
  } catch {
    // Storage is not available: it is chosen again.
  }
}
/** The chosen service, as it is entered. */
export const chosenService = (): Service => ({ kind: chosenBroker() ? "broker" : "beside",
  address: chosenBroker() ?? "" });

/** The origin of a broker's address as policies write it; null if this page may not use it. */
export function originOf(address: string) {
  try {
    const { protocol, host, hostname, hash } = new URL(address);
    const isHere = ["localhost", "127.0.0.1"].includes(hostname);
    return !hash && (protocol === "wss:" || (protocol === "ws:" && isHere)) && /^[a-z0-9.:-]+$/.test(host)
      ? `${protocol}//${host}`
      : null;
  } catch {
    return null;
  }
}

/** What a room needs to use that service; null for the page's own server. */
export const placeOf = ({ kind, address, ...login }: Service) =>
  kind === "beside" ? null : { transport: address.trim(), ...entered(login) };

const entered = ({ user, password, keepPassword = false }: Login): Login => ({ ...(user && { user }),
  ...(password && { password, keepPassword }) });

/** User and password for a broker, written into `login`. */
function LoginFields({ login }: { login: Login }) {
  const keep = useUid("keep");
  return (
    <>
      <Field label={t("meeting.user")}>
        {(attributes) => (
          <input type="text" autocomplete="off" spellcheck={false} data-testid="broker-user"
            onInput={({ currentTarget }) => (login.user = currentTarget.value)} {...attributes} />
        )}
      </Field>
      <Field label={t("meeting.password")} help={t("meeting.password.help")}>
        {(attributes) => (
          <input type="password" autocomplete="off" data-testid="broker-password"
            onInput={({ currentTarget }) => (login.password = currentTarget.value)} {...attributes} />
        )}
      </Field>
      <div class="field">
        <label class="tickbox">
          <input type="checkbox" id={keep} aria-describedby={`${keep}-help`} data-testid="broker-keep"
            onChange={({ currentTarget }) => (login.keepPassword = currentTarget.checked)} />
          <span>{t("meeting.keep")}</span>
        </label>
        <p class="help" id={`${keep}-help`}>{t("meeting.keep.help")}</p>
      </div>
    </>
  );
}

/** The form for a broker that requires a user and password. */
export function SignIn({ onSubmit }: { onSubmit: (login: Login) => void }) {
  const [login] = useState<Login>({});
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onSubmit(entered(login));
  };
  return (
    <form class="banner bad stack" data-testid="broker-signin" onSubmit={submit}>
      <p>{t("meeting.signin")}</p>
      <div class="fields">
        <LoginFields login={login} />
      </div>
      <p>
        <button type="submit" class="button button-primary" data-testid="broker-connect">{t("meeting.connect")}</button>
      </p>
    </form>
  );
}

/** The choice of the service, written into `service`. */
export function ConnectionService({ service }: { service: Service }) {
  const [kind, setKind] = useState(service.kind);
  const pick = (next: string) => {
    service.kind = next as Service["kind"];
    setKind(service.kind);
  };
  return (
    <div class="stack">
      <Field label={t("meeting")}>
        {(attributes) => (
          <Select value={kind} options={["beside", "broker"]} name={(one) => t(`meeting.${one}`)} onPick={pick}
            data-testid="invite-meeting" {...attributes} />
        )}
      </Field>
      <div class="fields" hidden={kind === "beside"}>
        <Field label={t("meeting.address")} help={t("meeting.address.help")}>
          {(attributes) => (
            <input type="text" inputMode="url" autocomplete="off" spellcheck={false} placeholder="wss://"
              defaultValue={service.address} data-testid="broker-address"
              onInput={({ currentTarget }) => (service.address = currentTarget.value)} {...attributes} />
          )}
        </Field>
        <LoginFields login={service} />
        <p class="help">{t("meeting.reload")}</p>
      </div>
    </div>
  );
}
