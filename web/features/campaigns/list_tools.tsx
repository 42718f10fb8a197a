import type { Campaign } from "shared/http_api.ts";
import { SearchField } from "../../ui/search_field.tsx";
import { isOf, STATUS_GROUPS, type StatusGroup, type Wanted } from "./find_campaigns.ts";
import { CLIENT_HOME } from "./text/client_home.ts";
import { GROUPS } from "./text/groups.ts";

const SEARCH_FROM = 10;

interface ListToolsProps {
  campaigns: readonly Campaign[];
  query: string;
  onQuery: (query: string) => void;
  group: Wanted["group"];
  onGroup: (group: Wanted["group"]) => void;
}

/** The search in a long list, and a filter by status with the number of each. */
export function ListTools({ campaigns, query, onQuery, group, onGroup }: ListToolsProps) {
  const groups = groupsOf(campaigns);
  return (
    <div className="mb-3 flex flex-wrap gap-2 empty:hidden">
      {campaigns.length >= SEARCH_FROM && (
        <SearchField
          label={CLIENT_HOME.search}
          className="min-w-40 flex-1"
          value={query}
          onChange={onQuery}
        />
      )}
      {(groups.length > 1 || group !== "") && (
        <select
          className="select w-auto max-sm:grow"
          aria-label={GROUPS.filter}
          value={group}
          onChange={(event) => onGroup(event.currentTarget.value as Wanted["group"])}
        >
          <option value="">{GROUPS.all}</option>
          {groups.map(({ group, count }) => (
            <option key={group} value={group}>{`${GROUPS[group]} (${count})`}</option>
          ))}
        </select>
      )}
    </div>
  );
}

/** Returns the groups that have campaigns, each with their number. */
function groupsOf(campaigns: readonly Campaign[]): { group: StatusGroup; count: number }[] {
  return (Object.keys(STATUS_GROUPS) as StatusGroup[])
    .map((group) => ({ group, count: campaigns.filter((campaign) => isOf(campaign, group)).length }))
    .filter(({ count }) => count > 0);
}
