import { useInfiniteQuery } from "@tanstack/react-query";
import { UserX } from "lucide-react";
import { useDeferredValue, useState } from "react";
import type { Contact, OneList } from "shared/lists_api.ts";
import { ADMIN_COMMON } from "../../text/admin_shell.ts";
import { ConfirmDialog } from "../../ui/confirm_dialog.tsx";
import { DownloadButton } from "../../ui/download_button.tsx";
import { EmptyBox } from "../../ui/empty_box.tsx";
import { FailedBox } from "../../ui/failed_box.tsx";
import { moreRows } from "../../ui/more_rows.ts";
import { Phone } from "../../ui/phone.tsx";
import { SearchField } from "../../ui/search_field.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { type ItemPlace, VirtualList } from "../../ui/virtual_list.tsx";
import { useRemoveContacts } from "./change_lists.ts";
import { ContactDialog } from "./contact_dialog.tsx";
import { contactsQuery } from "./get_lists.ts";
import { MAX_REMOVED } from "./limits.ts";
import { CONTACTS, LISTS } from "./text.ts";

const ROW_PX = 61;

interface ContactListProps {
  list: OneList;
  /** False for administrators, and for people who only read. */
  mayChange: boolean;
}

/** The contacts of a list, however many: search, card, removal after a question, export. */
export function ContactList({ list, mayChange }: ContactListProps) {
  const [search, setSearch] = useState("");
  const q = useDeferredValue(search).trim();
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [isAsking, setAsking] = useState(false);
  const [opened, setOpened] = useState<Contact>();
  const pages = useInfiniteQuery(contactsQuery(list.id, q));
  const items = pages.data?.pages.flatMap((page) => page.items);
  const remove = useRemoveContacts(list.id, () => {
    setAsking(false);
    setChosen(new Set());
  });

  function toggle(id: number) {
    const next = new Set(chosen);
    if (!next.delete(id) && next.size < MAX_REMOVED) next.add(id);
    setChosen(next);
  }

  return (
    <section className="sheet min-w-0 overflow-hidden" aria-labelledby="people-h">
      <div className="flex flex-wrap items-center gap-3 border-b border-base-300 px-5 py-4">
        <h2 id="people-h" className="me-auto text-lg font-bold">{CONTACTS.heading}</h2>
        <SearchField
          label={CONTACTS.search}
          className="input-sm w-64 max-sm:grow"
          value={search}
          onChange={setSearch}
        />
        <DownloadButton
          path={`/api/lists/${list.id}/contacts.csv`}
          fileName={`list-${list.id}.csv`}
          className="btn-secondary btn-sm"
        >
          {LISTS.exportCsv}
        </DownloadButton>
        <DownloadButton
          path={`/api/lists/${list.id}/contacts.xlsx`}
          fileName={`list-${list.id}.xlsx`}
          className="btn-secondary btn-sm"
        >
          {LISTS.exportXlsx}
        </DownloadButton>
        {mayChange && (
          // Not `disabled`, and always rendered: the dialog returns the focus to it.
          <button
            type="button"
            className={`btn btn-outline btn-error btn-sm ${chosen.size === 0 ? "btn-disabled" : ""}`}
            aria-disabled={chosen.size === 0 || undefined}
            onClick={() => chosen.size > 0 && setAsking(true)}
          >
            {CONTACTS.remove(chosen.size)}
          </button>
        )}
      </div>
      {items && items.length > 0
        ? (
          <VirtualList
            label={CONTACTS.region}
            className="max-h-[70dvh]"
            items={items}
            keyOf={({ id }) => id}
            itemPx={ROW_PX}
            renderItem={(item, place) => (
              <Row
                item={item}
                names={list.fields}
                place={place}
                isChosen={chosen.has(item.id)}
                onToggle={mayChange ? () => toggle(item.id) : undefined}
                onOpen={() => setOpened(item)}
              />
            )}
            {...moreRows(pages)}
          />
        )
        : <div className="p-5">{standIn()}</div>}
      {isAsking && (
        <ConfirmDialog
          title={CONTACTS.removeTitle}
          confirm={CONTACTS.remove(chosen.size)}
          busyText={CONTACTS.removing}
          busy={remove.isPending}
          onConfirm={() => remove.mutate([...chosen])}
          onClose={() => setAsking(false)}
        >
          {CONTACTS.removeEffect(chosen.size)}
        </ConfirmDialog>
      )}
      {opened && (
        <ContactDialog
          list={list}
          contact={opened}
          mayChange={mayChange}
          onClose={() => setOpened(undefined)}
        />
      )}
    </section>
  );

  function standIn() {
    if (items) {
      if (q) return <p className="text-sm text-ink-2" role="status">{ADMIN_COMMON.noMatch(q)}</p>;
      return (
        <EmptyBox icon={UserX} title={CONTACTS.empty} body={mayChange ? CONTACTS.emptyMeaning : undefined} />
      );
    }
    if (pages.isError) {
      return <FailedBox title={CONTACTS.failed} error={pages.error} onRetry={pages.refetch} />;
    }
    return <Skeleton text={CONTACTS.loading} rows={6} />;
  }
}

interface RowProps {
  item: Contact;
  names: readonly string[];
  place: ItemPlace;
  isChosen: boolean;
  onToggle: (() => void) | undefined;
  onOpen: () => void;
}

function Row({ item: { phone, fields }, names, place, isChosen, onToggle, onOpen }: RowProps) {
  const shown = names.filter((name) => fields[name]);
  return (
    <li {...place} className="flex items-center gap-3 px-5 py-2.5 text-sm">
      {onToggle && (
        <input
          type="checkbox"
          className="checkbox checkbox-primary checkbox-sm"
          aria-label={CONTACTS.choose(phone)}
          checked={isChosen}
          onChange={onToggle}
        />
      )}
      <button
        type="button"
        className="flex min-h-10 min-w-0 grow flex-wrap content-center items-baseline gap-x-4 rounded-field text-start"
        onClick={onOpen}
      >
        <span className="sr-only">{CONTACTS.open}</span>
        <span className="w-32 font-semibold">
          <Phone e164={phone} />
        </span>
        <span className="line-clamp-2 min-w-0 grow basis-40 text-ink-2 wrap-anywhere">
          {shown.length === 0
            ? <span className="text-ink-3">{CONTACTS.noFields}</span>
            : shown.map((name, at) => (
              <span key={name}>
                {at > 0 && " · "}
                <span className="text-ink-3">{name}:</span> <bdi>{fields[name]}</bdi>
              </span>
            ))}
        </span>
      </button>
    </li>
  );
}
