import { Plus } from "lucide-react";
import { type FormEvent, useRef, useState } from "react";
import { SITES } from "../../text/admin_sites.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { Field } from "../../ui/field.tsx";
import { type ShownToken, useCreateSite } from "./join_site.ts";

const MAX_NAME_CHARS = 60;

/** Asks only for a name; the next dialog shows how to connect the site. */
export function CreateSiteForm({ onToken }: { onToken: (token: ShownToken) => void }) {
  const [name, setName] = useState("");
  const [isRefused, setRefused] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const create = useCreateSite((token) => {
    setName("");
    onToken(token);
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    if (create.isPending) return;
    if (name.trim()) return create.mutate(name.trim());
    setRefused(true);
    field.current?.focus();
  }

  return (
    <section className="sheet p-5" aria-labelledby="new-site-h">
      <h2 id="new-site-h" className="mb-4 text-lg font-bold">{SITES.create}</h2>
      <form className="flex flex-col gap-4" noValidate onSubmit={submit}>
        <Field
          label={SITES.name}
          placeholder={SITES.namePlaceholder}
          maxLength={MAX_NAME_CHARS}
          autoComplete="off"
          inputRef={field}
          error={isRefused ? SITES.missingName : undefined}
          value={name}
          onChange={(value) => {
            setName(value);
            setRefused(false);
          }}
        />
        <BusyButton type="submit" className="btn-primary" busy={create.isPending} busyText={SITES.creating}>
          <Plus className="size-4" />
          {SITES.submit}
        </BusyButton>
      </form>
    </section>
  );
}
