import { CircleAlert } from "lucide-react";
import { type FormEvent, useId, useRef, useState } from "react";
import {
  ADMIN_WEBHOOK_TYPES,
  CLIENT_WEBHOOK_TYPES,
  MAX_ENDPOINT_NAME_CHARS,
  MAX_ENDPOINT_URL_CHARS,
} from "shared/webhook_event.ts";
import type { ChosenWebhookType } from "shared/webhooks_api.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { Field } from "../../ui/field.tsx";
import type { WebhookFields } from "./change_webhooks.ts";
import { GROUPS, WEBHOOK_FORM } from "./text.ts";

type Wrong = "name" | "url" | "types" | "quota";

interface WebhookFormProps {
  isAdmin: boolean;
  given?: WebhookFields;
  submit: string;
  busyText: string;
  busy: boolean;
  onSubmit: (fields: WebhookFields) => void;
}

/** The fields of a webhook. A wrong field keeps what was typed, and gets the focus. */
export function WebhookForm({ isAdmin, given, submit, busyText, busy, onSubmit }: WebhookFormProps) {
  const [name, setName] = useState(given?.name ?? "");
  const [url, setUrl] = useState(given?.url ?? "");
  const [types, setTypes] = useState<readonly ChosenWebhookType[]>(given?.types ?? []);
  const [quota, setQuota] = useState(String(given?.quotaBelow ?? 100));
  const [wrong, setWrong] = useState<Wrong>();
  const fields = useRef<Partial<Record<Wrong, HTMLInputElement | null>>>({});
  const typesProblem = useId();
  const all: readonly ChosenWebhookType[] = isAdmin ? ADMIN_WEBHOOK_TYPES : CLIENT_WEBHOOK_TYPES;
  const groups = [...new Set(all.map(groupOf))];

  function send(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    const first: Wrong | undefined = name.trim() === ""
      ? "name"
      : !/^https?:\/\/\S+$/.test(url.trim())
      ? "url"
      : types.length === 0
      ? "types"
      : !/^[1-9]\d{0,5}$/.test(quota.trim())
      ? "quota"
      : undefined;
    setWrong(first);
    if (first !== undefined) return fields.current[first]?.focus();
    onSubmit({ name: name.trim(), url: url.trim(), types: [...types], quotaBelow: Number(quota) });
  }

  function toggle(group: string) {
    setWrong(undefined);
    const rest = types.filter((type) => groupOf(type) !== group);
    setTypes(rest.length < types.length ? rest : [...rest, ...all.filter((type) => groupOf(type) === group)]);
  }

  const edits = (set: (value: string) => void) => (value: string) => {
    set(value);
    setWrong(undefined);
  };
  return (
    <form className="flex flex-col gap-4" noValidate onSubmit={send}>
      <Field
        label={WEBHOOK_FORM.name}
        hint={WEBHOOK_FORM.nameHint}
        placeholder={WEBHOOK_FORM.namePlaceholder}
        autoComplete="off"
        maxLength={MAX_ENDPOINT_NAME_CHARS}
        inputRef={(input) => void (fields.current.name = input)}
        error={wrong === "name" ? WEBHOOK_FORM.nameMissing : undefined}
        value={name}
        onChange={edits(setName)}
      />
      <Field
        label={WEBHOOK_FORM.url}
        hint={isAdmin ? WEBHOOK_FORM.adminUrlHint : WEBHOOK_FORM.urlHint}
        placeholder="https://crm.example.co.il/hooks/shigur"
        dir="ltr"
        inputMode="url"
        autoComplete="off"
        maxLength={MAX_ENDPOINT_URL_CHARS}
        inputRef={(input) => void (fields.current.url = input)}
        error={wrong === "url" ? WEBHOOK_FORM.urlMissing : undefined}
        value={url}
        onChange={edits(setUrl)}
      />
      <fieldset
        className="flex flex-col gap-2"
        aria-describedby={wrong === "types" ? typesProblem : undefined}
      >
        <legend className="mb-1 text-sm font-semibold">{WEBHOOK_FORM.types}</legend>
        {groups.map((group, index) => (
          <label key={group} className="flex cursor-pointer items-start gap-3">
            <input
              ref={index === 0 ? (input) => void (fields.current.types = input) : undefined}
              type="checkbox"
              className="checkbox checkbox-primary checkbox-sm mt-0.5"
              checked={types.some((type) => groupOf(type) === group)}
              onChange={() => toggle(group)}
            />
            <span className="text-sm">
              <b>{GROUPS[group]!.name}</b>
              <span className="block text-ink-2">{GROUPS[group]!.meaning}</span>
            </span>
          </label>
        ))}
        {wrong === "types" && (
          <p id={typesProblem} className="tone-bad flex items-center gap-1.5 text-sm text-tone" role="alert">
            <CircleAlert className="size-4" />
            {WEBHOOK_FORM.typesMissing}
          </p>
        )}
      </fieldset>
      {types.includes("quota.low") && (
        <Field
          label={WEBHOOK_FORM.quota}
          inputMode="numeric"
          dir="ltr"
          autoComplete="off"
          inputRef={(input) => void (fields.current.quota = input)}
          error={wrong === "quota" ? WEBHOOK_FORM.quotaWrong : undefined}
          value={quota}
          onChange={edits(setQuota)}
        />
      )}
      <BusyButton type="submit" className="btn-primary self-start" busy={busy} busyText={busyText}>
        {submit}
      </BusyButton>
    </form>
  );
}

/** "campaign" of "campaign.paused". */
export function groupOf(type: string): string {
  return type.split(".")[0]!;
}
