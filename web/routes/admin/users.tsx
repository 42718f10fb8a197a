import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import type { User } from "shared/http_api.ts";
import { ClientPeople } from "../../features/people/client_people.tsx";
import { LedgerList } from "../../features/quota/ledger_list.tsx";
import { useChangeUser } from "../../features/users/change_user.ts";
import { CorrectDialog } from "../../features/users/correct_dialog.tsx";
import { CreateUserForm } from "../../features/users/create_user_form.tsx";
import { DisableDialog } from "../../features/users/disable_dialog.tsx";
import { usersQuery } from "../../features/users/get_users.ts";
import { LoadDialog } from "../../features/users/load_dialog.tsx";
import { PasswordDialog } from "../../features/users/password_dialog.tsx";
import { RemoveFactorDialog } from "../../features/users/remove_factor_dialog.tsx";
import { UserList } from "../../features/users/user_list.tsx";
import type { UserAct } from "../../features/users/user_row.tsx";
import { LIST_PATHS } from "../../list_paths.ts";
import { ADMIN_COMMON, ADMIN_SHELL } from "../../text/admin_shell.ts";
import { USERS } from "../../features/users/text.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { PageHead } from "../../ui/page_head.tsx";
import { usePageTitle } from "../../ui/page_title.ts";
import { useSignedIn } from "../signed_in_context.ts";

/** Users: create, load messages, disable and enable. */
export function Screen() {
  usePageTitle(ADMIN_SHELL.title(USERS.heading));
  const { user: self } = useSignedIn();
  const [asked, setAsked] = useState<{ act: UserAct; userId: number }>();
  const [newId, setNewId] = useState<number>();
  const [search, setSearch] = useSearchFromAddress();
  const navigate = useNavigate();
  const close = () => setAsked(undefined);
  const enable = useChangeUser(close);
  // The list refreshes while a dialog is open, and the dialog shows the new data.
  const subject = useQuery(usersQuery).data?.find(({ id }) => id === asked?.userId);
  return (
    <>
      <PageHead heading={USERS.heading}>{USERS.subtitle}</PageHead>
      <div className="grid items-start gap-4 lg:grid-cols-[22rem_1fr]">
        <CreateUserForm
          onCreated={({ id }) => {
            setNewId(id);
            setSearch("");
          }}
        />
        <UserList
          selfId={self.id}
          newId={newId}
          search={search}
          onSearch={setSearch}
          onAct={(act, user) => {
            if (act === "lists") navigate(LIST_PATHS.ofClient(user.id));
            else if (act === "enable") enable.mutate({ user, change: { disabled: false } });
            else setAsked({ act, userId: user.id });
          }}
        />
      </div>
      {asked && subject && <Asked act={asked.act} user={subject} onClose={close} />}
    </>
  );
}

function Asked({ act, user, onClose }: { act: UserAct; user: User; onClose: () => void }) {
  if (act === "people") return <ClientPeople client={user} onClose={onClose} />;
  if (act === "load") return <LoadDialog client={user} onClose={onClose} />;
  if (act === "correct") return <CorrectDialog client={user} onClose={onClose} />;
  if (act === "disable") return <DisableDialog user={user} onClose={onClose} />;
  if (act === "factor") return <RemoveFactorDialog user={user} onClose={onClose} />;
  if (act === "password") return <PasswordDialog user={user} onClose={onClose} />;
  return (
    <Dialog title={USERS.ledgerOf(user.username)} onClose={onClose}>
      <LedgerList userId={user.id} isBare isForAdmin />
      <button type="button" className="btn btn-ghost mt-4 border-base-300" onClick={onClose}>
        {ADMIN_COMMON.close}
      </button>
    </Dialog>
  );
}

/** The search field's text; the quick jump names a user in the address. */
function useSearchFromAddress() {
  const named = new URLSearchParams(useLocation().search).get("q") ?? "";
  const [search, setSearch] = useState(named);
  useEffect(() => setSearch(named), [named]);
  return [search, setSearch] as const;
}
