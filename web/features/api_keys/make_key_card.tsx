import { CircleAlert, KeyRound } from "lucide-react";
import { type FormEvent, type ReactNode, useId, useRef, useState } from "react";
import { parseRange } from "shared/address_range.ts";
import {
  KEY_MODES,
  type KeyMode,
  type KeyScope,
  MAX_DAILY_LIMIT,
  MAX_KEY_NAME_CHARS,
} from "shared/api_key.ts";
import type { MadeKey } from "shared/keys_api.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { CopyField } from "../../ui/copy_field.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { useMakeKey } from "./change_keys.ts";
import { ADMIN_SCOPE_WORDS, CLIENT_SCOPE_WORDS, MAKE_KEY, MODES } from "./text.ts";

const DAY_MS = 24 * 60 * 60_000;
/** Days until a key expires; 0 = it does not. */
const LIVES = [90, 30, 365, 0];

type Wrong = "name" | "scopes" | "daily" | "addresses";

/** Makes a key and shows it once. A wrong field keeps what was typed, and gets the focus. */
export function MakeKeyCard({ isAdmin }: { isAdmin: boolean }) {
  const [name, setName] = useState("");
  const [mode, setMode] = useState<KeyMode>("live");
  const [scopes, setScopes] = useState<KeyScope[]>([]);
  const [life, setLife] = useState(LIVES[0]!);
  const [daily, setDaily] = useState("");
  const [addresses, setAddresses] = useState("");
  const [wrong, setWrong] = useState<Wrong>();
  const [made, setMade] = useState<MadeKey>();
  const fields = useRef<Partial<Record<Wrong, HTMLInputElement | null>>>({});
  const make = useMakeKey((key) => {
    setMade(key);
    setName("");
    setScopes([]);
    setDaily("");
    setAddresses("");
  });
  const words = Object.entries(isAdmin ? ADMIN_SCOPE_WORDS : CLIENT_SCOPE_WORDS) as [
    KeyScope,
    { name: string; meaning: string },
  ][];
  const ranges = addresses.split(/[\s,]+/).filter((text) => text !== "");
  const wrongRange = ranges.find((text) => parseRange(text) === null);
  const isDailyWrong = daily.trim() !== "" &&
    !(/^\d+$/.test(daily.trim()) && Number(daily) >= 1 && Number(daily) <= MAX_DAILY_LIMIT);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (make.isPending) return;
    const first: Wrong | undefined = name.trim() === ""
      ? "name"
      : scopes.length === 0
      ? "scopes"
      : isDailyWrong
      ? "daily"
      : wrongRange !== undefined
      ? "addresses"
      : undefined;
    setWrong(first);
    if (first !== undefined) return fields.current[first]?.focus();
    make.mutate({
      name,
      mode,
      scopes,
      expiresAt: life === 0 ? null : Date.now() + life * DAY_MS,
      dailyLimit: daily.trim() === "" ? null : Number(daily),
      addresses: ranges,
    });
  }

  function toggle(scope: KeyScope) {
    setWrong(undefined);
    setScopes(scopes.includes(scope) ? scopes.filter((other) => other !== scope) : [...scopes, scope]);
  }

  const edits = (set: (value: string) => void) => (value: string) => {
    set(value);
    setWrong(undefined);
  };
  return (
    <section className="sheet min-w-0 p-5" aria-labelledby="make-key-h">
      <h2 id="make-key-h" className="mb-4 text-lg font-bold">{MAKE_KEY.heading}</h2>
      <form className="flex flex-col gap-4" noValidate onSubmit={submit}>
        <Field
          label={MAKE_KEY.name}
          hint={MAKE_KEY.nameHint}
          placeholder={MAKE_KEY.namePlaceholder}
          autoComplete="off"
          maxLength={MAX_KEY_NAME_CHARS}
          inputRef={(input) => void (fields.current.name = input)}
          error={wrong === "name" ? MAKE_KEY.nameMissing : undefined}
          value={name}
          onChange={edits(setName)}
        />
        {!isAdmin && (
          <Choice legend={MAKE_KEY.mode}>
            {KEY_MODES.map((one) => (
              <Option
                key={one}
                type="radio"
                {...MODES[one]}
                checked={mode === one}
                onChange={() => setMode(one)}
              />
            ))}
          </Choice>
        )}
        <Choice legend={MAKE_KEY.scopes} error={wrong === "scopes" ? MAKE_KEY.scopesMissing : undefined}>
          {words.map(([scope, { name, meaning }], index) => (
            <Option
              key={scope}
              type="checkbox"
              name={name}
              meaning={meaning}
              checked={scopes.includes(scope)}
              inputRef={index === 0 ? (input) => void (fields.current.scopes = input) : undefined}
              onChange={() => toggle(scope)}
            />
          ))}
        </Choice>
        <label className="block">
          <span className="mb-1 block text-sm font-semibold">{MAKE_KEY.life}</span>
          <select
            className="select w-full"
            value={life}
            onChange={(event) => setLife(Number(event.currentTarget.value))}
          >
            {LIVES.map((days) => <option key={days} value={days}>{MAKE_KEY.lives[days]}</option>)}
          </select>
        </label>
        <Field
          label={MAKE_KEY.daily}
          hint={MAKE_KEY.dailyHint}
          inputMode="numeric"
          dir="ltr"
          autoComplete="off"
          inputRef={(input) => void (fields.current.daily = input)}
          error={wrong === "daily" ? MAKE_KEY.dailyWrong : undefined}
          value={daily}
          onChange={edits(setDaily)}
        />
        <Field
          label={MAKE_KEY.addresses}
          hint={MAKE_KEY.addressesHint}
          dir="ltr"
          placeholder="203.0.113.0/24"
          autoComplete="off"
          inputRef={(input) => void (fields.current.addresses = input)}
          error={wrong === "addresses" ? MAKE_KEY.addressesWrong(wrongRange ?? "") : undefined}
          value={addresses}
          onChange={edits(setAddresses)}
        />
        <BusyButton
          type="submit"
          className="btn-primary self-start"
          busy={make.isPending}
          busyText={MAKE_KEY.making}
        >
          <KeyRound className="size-4" />
          {MAKE_KEY.submit}
        </BusyButton>
      </form>
      {made && (
        <Dialog title={MAKE_KEY.madeTitle(made.key.name)} onClose={() => setMade(undefined)}>
          <p className="mb-4 text-sm">{MAKE_KEY.made}</p>
          <CopyField label={MAKE_KEY.secretLabel} text={made.secret} />
          <button type="button" className="btn btn-primary mt-4" onClick={() => setMade(undefined)}>
            {MAKE_KEY.done}
          </button>
        </Dialog>
      )}
    </section>
  );
}

interface ChoiceProps {
  legend: string;
  error?: string | undefined;
  children: ReactNode;
}

function Choice({ legend, error, children }: ChoiceProps) {
  const id = useId();
  return (
    <fieldset className="flex flex-col gap-2" aria-describedby={error ? id : undefined}>
      <legend className="mb-1 text-sm font-semibold">{legend}</legend>
      {children}
      {error && (
        <p id={id} className="tone-bad flex items-center gap-1.5 text-sm text-tone" role="alert">
          <CircleAlert className="size-4" />
          {error}
        </p>
      )}
    </fieldset>
  );
}

interface OptionProps {
  type: "radio" | "checkbox";
  name: string;
  meaning: string;
  checked: boolean;
  inputRef?: ((input: HTMLInputElement | null) => void) | undefined;
  onChange: () => void;
}

function Option({ type, name, meaning, checked, inputRef, onChange }: OptionProps) {
  const look = type === "radio" ? "radio radio-primary radio-sm" : "checkbox checkbox-primary checkbox-sm";
  return (
    <label className="flex cursor-pointer items-start gap-3">
      <input ref={inputRef} type={type} className={`${look} mt-0.5`} checked={checked} onChange={onChange} />
      <span className="text-sm">
        <b>{name}</b>
        <span className="block text-ink-2">{meaning}</span>
      </span>
    </label>
  );
}
