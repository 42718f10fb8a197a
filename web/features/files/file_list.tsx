import { useInfiniteQuery } from "@tanstack/react-query";
import { FileSpreadsheet } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { FILES } from "./text.ts";
import { ADMIN_COMMON } from "../../text/admin_shell.ts";
import { EmptyBox } from "../../ui/empty_box.tsx";
import { FailedBox } from "../../ui/failed_box.tsx";
import { moreRows } from "../../ui/more_rows.ts";
import { SearchField } from "../../ui/search_field.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { VirtualList } from "../../ui/virtual_list.tsx";
import { FileRow } from "./file_row.tsx";
import { filesQuery } from "./get_files.ts";

const ROW_PX = 88;
const STATUSES = ["all", "queued", "processing", "completed", "error"] as const;
const SEGMENTS = STATUSES.map((value) => ({ value, label: FILES.filters[value] }));

/** Lists the files, newest first, with a filter by status and a search by name. */
export function FileList({ now }: { now: number }) {
  const [status, setStatus] = useState<typeof STATUSES[number]>("all");
  const [search, setSearch] = useState("");
  const q = useDeferredValue(search).trim();
  const files = useInfiniteQuery(filesQuery({ status: status === "all" ? undefined : status, q }));
  const items = files.data?.pages.flatMap((page) => page.items);
  return (
    <section className="sheet min-w-0 overflow-hidden" aria-labelledby="files-h">
      <div className="flex flex-wrap items-center gap-3 border-b border-base-300 px-5 py-4">
        <h2 id="files-h" className="text-lg font-bold">{FILES.list}</h2>
        <Segments label={ADMIN_COMMON.filter} options={SEGMENTS} chosen={status} onChoose={setStatus} />
        <SearchField
          label={FILES.search}
          placeholder={ADMIN_COMMON.search}
          className="ms-auto w-full sm:w-44"
          value={search}
          onChange={setSearch}
        />
      </div>
      {items && items.length > 0
        ? (
          <VirtualList
            label={FILES.region}
            className="max-h-[75dvh]"
            items={items}
            keyOf={({ id }) => id}
            itemPx={ROW_PX}
            renderItem={(file, place) => <FileRow file={file} now={now} place={place} />}
            {...moreRows(files)}
          />
        )
        : <div className="p-5">{standIn()}</div>}
    </section>
  );

  function standIn() {
    if (items) {
      if (q) return <p className="text-sm text-ink-2" role="status">{ADMIN_COMMON.noMatch(q)}</p>;
      return status === "all"
        ? <EmptyBox icon={FileSpreadsheet} title={FILES.empty} body={FILES.emptyTeaching} />
        : <EmptyBox icon={FileSpreadsheet} title={FILES.noneOfKind} />;
    }
    if (files.isError) {
      return <FailedBox title={FILES.failed} error={files.error} onRetry={files.refetch} />;
    }
    return <Skeleton text={FILES.loading} rows={5} />;
  }
}
