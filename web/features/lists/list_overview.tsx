import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, Users } from "lucide-react";
import { type FormEvent, useRef, useState } from "react";
import { Link } from "react-router-dom";
import { MAX_LIST_NAME_CHARS } from "./limits.ts";
import { LIST_PATHS } from "../../list_paths.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { EmptyBox } from "../../ui/empty_box.tsx";
import { FailedBox } from "../../ui/failed_box.tsx";
import { Field } from "../../ui/field.tsx";
import { Num } from "../../ui/num.tsx";
import { failureOf } from "../../ui/show_failure.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useCreateList } from "./change_lists.ts";
import { listsQuery } from "./get_lists.ts";
import { LISTS } from "./text.ts";

/** All lists of a client by name; an administrator reads those of `client`. */
export function ListOverview({ client }: { client?: number }) {
  const lists = useQuery(listsQuery(client));
  return (
    <section className="sheet min-w-0 overflow-hidden" aria-labelledby="lists-h">
      <h2 id="lists-h" className="border-b border-base-300 px-5 py-4 text-lg font-bold">{LISTS.all}</h2>
      {lists.data && lists.data.items.length > 0
        ? (
          <ul className="divide-y divide-base-300">
            {lists.data.items.map(({ id, name, size, fields }) => (
              <li key={id}>
                <Link
                  to={LIST_PATHS.list(id)}
                  className="flex items-center gap-3 px-5 py-3.5 hover:bg-base-200"
                >
                  <Users className="size-[1.125rem] text-ink-3" />
                  <span className="min-w-0 grow">
                    <bdi className="block font-semibold wrap-anywhere">{name}</bdi>
                    <span className="line-clamp-1 text-xs text-ink-3">{LISTS.fields(fields)}</span>
                  </span>
                  <span className="shrink-0 text-sm text-ink-2">{LISTS.people(size)}</span>
                  <ChevronLeft className="size-4 shrink-0 text-ink-3" />
                </Link>
              </li>
            ))}
          </ul>
        )
        : <div className="p-5">{standIn()}</div>}
    </section>
  );

  function standIn() {
    if (lists.data) {
      return client === undefined
        ? <EmptyBox icon={Users} title={LISTS.empty} body={LISTS.emptyMeaning} />
        : <EmptyBox icon={Users} title={LISTS.emptyOf} />;
    }
    if (lists.isError) return <FailedBox title={LISTS.failed} error={lists.error} onRetry={lists.refetch} />;
    return <Skeleton text={LISTS.loading} />;
  }
}

/** Makes a new list, and opens it. */
export function CreateListCard({ onCreated }: { onCreated: (id: number) => void }) {
  const [name, setName] = useState("");
  const [isMissing, setMissing] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const create = useCreateList(({ id }) => onCreated(id));
  const failure = create.isError
    ? failureOf(LISTS.createFailedTitle, create.error, LISTS.createFailed)
    : undefined;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (create.isPending) return;
    if (name.trim()) return create.mutate(name.trim());
    setMissing(true);
    field.current?.focus();
  }

  return (
    <section className="sheet p-5" aria-labelledby="new-list-h">
      <h2 id="new-list-h" className="mb-4 text-lg font-bold">{LISTS.create}</h2>
      <form noValidate onSubmit={submit}>
        <Field
          label={LISTS.name}
          placeholder={LISTS.namePlaceholder}
          maxLength={MAX_LIST_NAME_CHARS}
          inputRef={field}
          error={isMissing ? LISTS.nameMissing : failure?.description}
          value={name}
          readOnly={create.isPending}
          onChange={(value) => {
            setName(value);
            setMissing(false);
            if (create.isError) create.reset();
          }}
        />
        <BusyButton
          type="submit"
          className="btn-primary mt-4 w-full"
          busy={create.isPending}
          busyText={LISTS.creating}
        >
          {LISTS.create}
        </BusyButton>
      </form>
    </section>
  );
}

/** A list's size as the biggest thing of its screen. */
export function ListSize({ size }: { size: number }) {
  return (
    <p className="flex items-baseline gap-2">
      <b className="text-4xl font-extrabold tracking-tight">
        <Num>{size}</Num>
      </b>
      <span className="text-ink-2">{size === 1 ? "איש קשר ברשימה" : "אנשי קשר ברשימה"}</span>
    </p>
  );
}
