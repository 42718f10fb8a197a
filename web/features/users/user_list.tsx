import { useQuery } from "@tanstack/react-query";
import { Users } from "lucide-react";
import { useDeferredValue } from "react";
import type { User } from "shared/http_api.ts";
import { ADMIN_COMMON } from "../../text/admin_shell.ts";
import { USERS } from "./text.ts";
import { EmptyBox } from "../../ui/empty_box.tsx";
import { FailedBox } from "../../ui/failed_box.tsx";
import { SearchField } from "../../ui/search_field.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { VirtualList } from "../../ui/virtual_list.tsx";
import { usersQuery } from "./get_users.ts";
import { type UserAct, UserRow } from "./user_row.tsx";

const ROW_PX = 61;

interface UserListProps {
  /** Id of the viewing administrator. */
  selfId: number;
  onAct: (act: UserAct, user: User) => void;
  /** The user that was just created, shown first. */
  newId: number | undefined;
  search: string;
  onSearch: (search: string) => void;
}

/** Lists any number of users, with a search by name; colleagues are found by the name of their client too. */
export function UserList({ selfId, onAct, newId, search, onSearch }: UserListProps) {
  const users = useQuery(usersQuery);
  const wanted = useDeferredValue(search).trim().toLowerCase();
  const found = users.data
    ?.filter(({ username, colleague }) =>
      [username, colleague?.clientName].some((name) => name?.toLowerCase().includes(wanted))
    )
    .sort((a, b) => Number(b.id === newId) - Number(a.id === newId));
  return (
    <section className="sheet min-w-0 overflow-hidden" aria-labelledby="users-h">
      <div className="flex flex-wrap items-center gap-3 border-b border-base-300 px-5 py-4">
        <h2 id="users-h" className="text-lg font-bold">{USERS.list}</h2>
        {users.data && <span className="text-sm text-ink-3">{USERS.registered(users.data.length)}</span>}
        <SearchField
          label={USERS.search}
          placeholder={ADMIN_COMMON.search}
          className="input-sm ms-auto w-52"
          value={search}
          onChange={onSearch}
        />
      </div>
      {found && found.length > 0
        ? (
          <VirtualList
            label={USERS.region}
            items={found}
            keyOf={({ id }) => id}
            itemPx={ROW_PX}
            renderItem={(user, place) => (
              <UserRow
                user={user}
                isSelf={user.id === selfId}
                isNew={user.id === newId}
                place={place}
                onAct={(act) => onAct(act, user)}
              />
            )}
          />
        )
        : <div className="p-5">{standIn()}</div>}
    </section>
  );

  function standIn() {
    if (users.data) {
      return wanted
        ? <p className="text-sm text-ink-2" role="status">{ADMIN_COMMON.noMatch(search.trim())}</p>
        : <EmptyBox icon={Users} title={USERS.empty} />;
    }
    if (users.isError) {
      return (
        <FailedBox
          title={USERS.failed}
          error={users.error}
          onRetry={users.refetch}
          fallback={USERS.fetchFailed}
        />
      );
    }
    return <Skeleton text={USERS.loading} />;
  }
}
