import { useQuery } from "@tanstack/react-query";
import { PencilLine } from "lucide-react";
import { type ReactNode, useState } from "react";
import { formatPhone } from "shared/phone.ts";
import type { Contact, ContactCard, OneList } from "shared/lists_api.ts";
import { DELIVERY_STATE_LABELS } from "shared/delivery_words.ts";
import { formatMoment } from "../../text/format.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogFoot } from "../../ui/dialog_foot.tsx";
import { FailedBox } from "../../ui/failed_box.tsx";
import { Phone } from "../../ui/phone.tsx";
import { ProblemLine } from "../../ui/problem_line.tsx";
import { failureOf } from "../../ui/show_failure.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useNow } from "../../ui/use_now.ts";
import { useEditContact } from "./change_lists.ts";
import { draftsOf, FieldRows, valuesOf } from "./field_rows.tsx";
import { cardQuery } from "./get_lists.ts";
import { CARD } from "./text.ts";

const MINUTE_MS = 60_000;

interface ContactDialogProps {
  list: OneList;
  contact: Contact;
  mayChange: boolean;
  onClose: () => void;
}

/** A contact's card: values, lists, messages, consents, removal; its client may edit the values. */
export function ContactDialog({ list, contact, mayChange, onClose }: ContactDialogProps) {
  const card = useQuery(cardQuery(list.id, contact.id));
  const [isEditing, setEditing] = useState(false);
  const phone = contact.phone.includes("•") ? contact.phone : formatPhone(contact.phone);
  return (
    <Dialog title={CARD.title(`\u2066${phone}\u2069`)} onClose={onClose}>
      {card.data
        ? isEditing
          ? <EditFields list={list} card={card.data} onDone={() => setEditing(false)} />
          : <Facts card={card.data} names={list.fields} />
        : card.isError
        ? <FailedBox title={CARD.failed} error={card.error} onRetry={card.refetch} />
        : <Skeleton text={CARD.loading} rows={4} />}
      {!isEditing && (
        <DialogFoot leave={CARD.close} onLeave={onClose}>
          {mayChange && card.data && (
            <button
              type="button"
              className="btn btn-secondary"
              onClick={() => setEditing(true)}
            >
              <PencilLine className="size-4" />
              {CARD.edit}
            </button>
          )}
        </DialogFoot>
      )}
    </Dialog>
  );
}

function EditFields({ list, card, onDone }: { list: OneList; card: ContactCard; onDone: () => void }) {
  const [fields, setFields] = useState(() => draftsOf(list.fields, card.fields));
  const edit = useEditContact(list.id, card.id, onDone);
  const failure = edit.isError ? failureOf(CARD.saveFailedTitle, edit.error, CARD.saveFailed) : undefined;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!edit.isPending) edit.mutate(valuesOf(fields));
      }}
    >
      <FieldRows fields={fields} onChange={setFields} />
      {failure && <ProblemLine {...failure} />}
      <DialogFoot onLeave={onDone}>
        <BusyButton type="submit" className="btn-primary" busy={edit.isPending} busyText={CARD.saving}>
          {CARD.save}
        </BusyButton>
      </DialogFoot>
    </form>
  );
}

function Facts({ card, names }: { card: ContactCard; names: readonly string[] }) {
  const now = useNow(MINUTE_MS);
  const all = [...new Set([...names, ...Object.keys(card.fields)])].filter((name) => card.fields[name]);
  return (
    <div className="flex flex-col gap-4 text-sm">
      <p className="text-ink-2">
        <b className="me-2 text-base text-base-content">
          <Phone e164={card.phone} />
        </b>
        {CARD.since(formatMoment(card.createdAt, now), CARD.sources[card.source])}
      </p>
      <Part title={CARD.fields} isEmpty={all.length === 0} empty={CARD.noFields}>
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
          {all.map((name) => (
            <div key={name} className="contents">
              <dt className="text-ink-3 wrap-anywhere">{name}</dt>
              <dd className="min-w-0 wrap-anywhere">
                <bdi>{card.fields[name]}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      </Part>
      <Part title={CARD.lists}>
        <p className="wrap-anywhere">{card.lists.map(({ name }) => name).join(" · ")}</p>
      </Part>
      <Part title={CARD.messages} isEmpty={card.messages.length === 0} empty={CARD.noMessages}>
        <ul className="max-h-40 overflow-auto" tabIndex={0} aria-label={CARD.messages}>
          {card.messages.map(({ campaign, name, state, at }) => (
            <li key={campaign} className="flex flex-wrap justify-between gap-x-3">
              <bdi className="min-w-0 wrap-anywhere">{name}</bdi>
              <span className="text-ink-3">{DELIVERY_STATE_LABELS[state]} · {formatMoment(at, now)}</span>
            </li>
          ))}
        </ul>
      </Part>
      <Part title={CARD.consents} isEmpty={card.consents.length === 0} empty={CARD.noConsents}>
        <ul className="flex flex-col gap-1">
          {card.consents.map(({ basis, source, obtainedOn, at, by }, index) => (
            <li key={index} className="wrap-anywhere">
              {[CARD.bases[basis], source, obtainedOn && CARD.obtained(obtainedOn)].filter(Boolean).join(
                ", ",
              )}
              <span className="block text-xs text-ink-3">
                {CARD.declaredBy(by ?? "", formatMoment(at, now))}
              </span>
            </li>
          ))}
        </ul>
      </Part>
      <Part title={CARD.removal} isEmpty={card.removal === null} empty={CARD.noRemoval}>
        {card.removal && (
          <p className="tone-warn text-tone">
            {CARD.removals[card.removal.source]} · {formatMoment(card.removal.at, now)}
          </p>
        )}
      </Part>
    </div>
  );
}

interface PartProps {
  title: string;
  children: ReactNode;
  isEmpty?: boolean;
  empty?: string;
}

function Part({ title, children, isEmpty = false, empty }: PartProps) {
  return (
    <section>
      <h3 className="mb-1 font-semibold">{title}</h3>
      {isEmpty ? <p className="text-ink-3">{empty}</p> : children}
    </section>
  );
}
