import { useQuery } from "@tanstack/react-query";
import {
  Building2,
  type LucideIcon,
  Plus,
  Search,
  Send,
  Settings,
  Smartphone,
  Trash2,
  Upload,
  UserPlus,
  Users,
  UserX,
} from "lucide-react";
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useRef, useState } from "react";
import { useNavigate } from "react-router-dom";
import type { SearchHit } from "shared/admin_api.ts";
import { ADMIN_PATHS } from "../../admin_paths.ts";
import { jumpDetail, QUICK_JUMP } from "./quick_jump_text.ts";
import { ADMIN_COMMON } from "../../text/admin_shell.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { RAIL_SCREENS } from "./rail.tsx";
import { searchQuery } from "./search.ts";

const MOST_RESULTS = 8;
/** Most screens and acts beside found things. */
const MOST_OWN = 4;

interface Jump {
  key: string;
  title: string;
  detail: string;
  icon: LucideIcon;
  path: string;
}

/** Searches screens, devices, sites, users and campaigns from one field. */
export function QuickJump({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState(0);
  const words = typed.trim();
  const found = useQuery(searchQuery(useDeferredValue(words)));
  const things = (words ? found.data?.items ?? [] : []).map(jumpOf);
  // Screens and acts are few words: they must not push out what was found.
  const own = [...screensWith(words), ...actsWith(words)].slice(0, words ? MOST_OWN : MOST_RESULTS);
  const jumps = [...own, ...things].slice(0, MOST_RESULTS);
  const at = Math.min(chosen, jumps.length - 1);
  const listId = useId();
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: "nearest" });
  }, [at]);

  function jump(to: Jump | undefined) {
    if (!to) return;
    onClose();
    void navigate(to.path);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "ArrowDown") setChosen((at + 1) % Math.max(1, jumps.length));
    else if (event.key === "ArrowUp") setChosen((at - 1 + jumps.length) % Math.max(1, jumps.length));
    else if (event.key === "Enter") jump(jumps[at]);
    else return;
    event.preventDefault();
  }

  return (
    <Dialog title={QUICK_JUMP.heading} onClose={onClose}>
      <label className="input w-full">
        <Search className="size-4 text-ink-3" />
        <input
          role="combobox"
          aria-label={QUICK_JUMP.field}
          aria-expanded={jumps.length > 0}
          aria-controls={listId}
          aria-activedescendant={jumps[at] && `${listId}-${at}`}
          aria-autocomplete="list"
          autoComplete="off"
          placeholder={QUICK_JUMP.open}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
        />
      </label>
      <ul
        ref={list}
        id={listId}
        role="listbox"
        aria-label={QUICK_JUMP.results}
        className="mt-2 flex max-h-96 flex-col overflow-y-auto"
      >
        {jumps.map((to, index) => {
          const Icon = to.icon;
          const isChosen = index === at;
          return (
            <li
              key={to.key}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={isChosen}
              className={`flex min-h-10 cursor-pointer items-center gap-3 rounded-field px-3 py-2 ${
                isChosen ? "bg-secondary text-secondary-content" : ""
              }`}
              onPointerMove={() => setChosen(index)}
              onClick={() => jump(to)}
            >
              <Icon className={`size-[1.125rem] ${Icon === Send ? "-scale-x-100" : ""}`} />
              <span className="flex min-w-0 grow flex-wrap items-center justify-between gap-x-3">
                <span className="flex max-w-full font-semibold">
                  <bdi className="truncate">{to.title}</bdi>
                </span>
                <span className={`text-xs ${isChosen ? "" : "text-ink-3"}`}>{to.detail}</span>
              </span>
            </li>
          );
        })}
      </ul>
      <p className="mt-2 text-sm text-ink-2" role="status">{statusText()}</p>
    </Dialog>
  );

  function statusText(): string {
    if (words && found.isError) return QUICK_JUMP.failed;
    if (words && found.isFetching) return QUICK_JUMP.loading;
    return words && jumps.length === 0 ? ADMIN_COMMON.noMatch(words) : "";
  }
}

function screensWith(words: string): Jump[] {
  return RAIL_SCREENS.filter(({ label }) => label.includes(words))
    .map(({ path, label, icon }) => ({
      key: path,
      title: label,
      detail: QUICK_JUMP.kinds.screen,
      icon,
      path,
    }));
}

/** Frequent acts, by the screen on which each begins. */
const ACTS: readonly { label: string; path: string; icon: LucideIcon }[] = [
  { label: QUICK_JUMP.acts.createUser, path: ADMIN_PATHS.users, icon: UserPlus },
  { label: QUICK_JUMP.acts.loadMessages, path: ADMIN_PATHS.users, icon: Plus },
  { label: QUICK_JUMP.acts.addDevice, path: ADMIN_PATHS.sites, icon: Smartphone },
  { label: QUICK_JUMP.acts.addSite, path: ADMIN_PATHS.sites, icon: Building2 },
  { label: QUICK_JUMP.acts.uploadCsv, path: ADMIN_PATHS.files, icon: Upload },
  { label: QUICK_JUMP.acts.suppress, path: ADMIN_PATHS.suppressions, icon: UserX },
  { label: QUICK_JUMP.acts.hours, path: ADMIN_PATHS.settings, icon: Settings },
  { label: QUICK_JUMP.acts.cap, path: ADMIN_PATHS.antiBanSettings, icon: Settings },
  { label: QUICK_JUMP.acts.reset, path: ADMIN_PATHS.dashboard, icon: Trash2 },
];

/** Acts are shown for words alone: an empty field lists the screens. */
function actsWith(words: string): Jump[] {
  if (!words) return [];
  return ACTS.filter(({ label }) => label.includes(words))
    .map(({ label, path, icon }) => ({ key: label, title: label, detail: QUICK_JUMP.kinds.act, icon, path }));
}

const KINDS: Record<SearchHit["kind"], { icon: LucideIcon; pathOf: (id: number, title: string) => string }> =
  {
    device: { icon: Smartphone, pathOf: ADMIN_PATHS.device },
    site: { icon: Building2, pathOf: () => ADMIN_PATHS.sites },
    user: { icon: Users, pathOf: (_, name) => ADMIN_PATHS.user(name) },
    campaign: { icon: Send, pathOf: ADMIN_PATHS.campaign },
  };

function jumpOf(hit: SearchHit): Jump {
  const { icon, pathOf } = KINDS[hit.kind];
  return {
    key: `${hit.kind} ${hit.id}`,
    title: hit.title,
    detail: jumpDetail(hit),
    icon,
    path: pathOf(hit.id, hit.title),
  };
}
