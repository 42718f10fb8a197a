import {
  EllipsisVertical,
  History,
  KeyRound,
  Lock,
  LockOpen,
  Plus,
  Scale,
  ShieldOff,
  Users,
} from "lucide-react";
import { useEffect, useRef } from "react";
import type { User } from "shared/http_api.ts";
import { ADMIN_COMMON } from "../../text/admin_shell.ts";
import { CORRECT, LOAD, USERS } from "./text.ts";
import { formatNumber } from "../../text/format.ts";
import { Menu, type MenuItem } from "../../ui/menu.tsx";
import { Num } from "../../ui/num.tsx";
import type { ItemPlace } from "../../ui/virtual_list.tsx";
import { UserMarks } from "./user_marks.tsx";

export type UserAct =
  | "people"
  | "lists"
  | "load"
  | "ledger"
  | "correct"
  | "password"
  | "factor"
  | "disable"
  | "enable";

interface UserRowProps {
  user: User;
  /** True for the viewing administrator's own row. */
  isSelf: boolean;
  /** True for the user that was just created: the row scrolls into sight. */
  isNew: boolean;
  place: ItemPlace;
  onAct: (act: UserAct) => void;
}

/** One user: name, role, and for clients the balance with the button that adds to it. */
export function UserRow({ user, isSelf, isNew, place, onAct }: UserRowProps) {
  const name = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (isNew) name.current?.scrollIntoView({ block: "nearest" });
  }, [isNew]);
  const isClient = user.role === "client" && !user.colleague;
  const items = itemsFor(user, isSelf, onAct);
  return (
    <li
      {...place}
      className={`flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3.5 ${
        isNew ? "bg-secondary/50" : user.disabled ? "bg-sunk" : ""
      }`}
    >
      <span
        ref={name}
        className="flex min-w-0 grow items-center gap-2 font-semibold sm:w-56 sm:grow-0"
        title={user.username}
      >
        <bdi className="truncate">{user.username}</bdi>
        {isNew && <span className="shrink-0 text-xs font-bold text-primary">{USERS.fresh}</span>}
      </span>
      <UserMarks user={user} />
      <span className="-me-2 sm:order-last">
        {items.length > 0 && (
          <Menu label={ADMIN_COMMON.actions(user.username)} items={items}>
            <EllipsisVertical className="size-[1.125rem]" />
          </Menu>
        )}
      </span>
      {isClient
        ? (
          <span className="flex w-full items-center justify-between gap-4 sm:ms-auto sm:w-auto">
            <span className="text-sm text-ink-2">
              <Available quota={user.messageQuota} />
            </span>
            <button type="button" className="btn btn-sm btn-secondary" onClick={() => onAct("load")}>
              <Plus className="size-4" />
              {LOAD.open}
            </button>
          </span>
        )
        : (
          <span className="hidden min-w-0 grow truncate text-sm text-ink-3 sm:block">
            {isSelf ? USERS.you : user.colleague && USERS.worksFor(user.colleague.clientName)}
          </span>
        )}
    </li>
  );
}

/** "12,480 הודעות זמינות" with a larger number; the singular has its own words. */
function Available({ quota }: { quota: number }) {
  if (quota === 1) return USERS.availableOne;
  return (
    <>
      <b className="text-base text-base-content">
        <Num>{formatNumber(quota)}</Num>
      </b>{" "}
      {USERS.available}
    </>
  );
}

/** No items for the administrator's own row: those actions are on their account screen. */
function itemsFor(user: User, isSelf: boolean, onAct: (act: UserAct) => void): MenuItem[] {
  if (isSelf) return [];
  const items: MenuItem[] = [
    {
      label: USERS.resetPassword,
      icon: <KeyRound className="size-4" />,
      onChoose: () => onAct("password"),
    },
  ];
  if (user.role === "client" && !user.colleague) {
    items.unshift({
      label: USERS.people,
      icon: <Users className="size-4" />,
      onChoose: () => onAct("people"),
    }, {
      label: USERS.lists,
      icon: <Users className="size-4" />,
      onChoose: () => onAct("lists"),
    }, {
      label: USERS.ledger,
      icon: <History className="size-4" />,
      onChoose: () => onAct("ledger"),
    }, {
      label: CORRECT.open,
      icon: <Scale className="size-4" />,
      onChoose: () => onAct("correct"),
    });
  }
  if (user.secondFactor) {
    items.push({
      label: USERS.removeSecondFactor,
      icon: <ShieldOff className="size-4" />,
      onChoose: () => onAct("factor"),
    });
  }
  if (user.disabled) {
    items.push({
      label: USERS.enable,
      icon: <LockOpen className="size-4" />,
      onChoose: () => onAct("enable"),
    });
  } else {
    items.push({
      label: USERS.disable,
      icon: <Lock className="size-4" />,
      isDestructive: true,
      onChoose: () => onAct("disable"),
    });
  }
  return items;
}
