import { useId } from "react";
import type { CampaignCounts } from "shared/campaign.ts";
import type { Report } from "shared/report_api.ts";
import { formatNumber } from "../../text/format.ts";
import { percentOf } from "../../text/percent.ts";
import { Num } from "../../ui/num.tsx";
import { Strip } from "../../ui/strip.tsx";
import { ReportTable, Section } from "./section.tsx";
import { REPORT } from "./text.ts";

export interface FieldSectionProps {
  report: Report;
  /** Absent on paper: the choice is made before. */
  onField?: ((field: string | undefined) => void) | undefined;
}

/** The recipients by the values of one of their fields. */
export function FieldSection({ report: { fields, field }, onField }: FieldSectionProps) {
  const selectId = useId();
  if (!onField && field === null) return null;
  return (
    <Section
      id="field-h"
      heading={onField || field === null ? REPORT.field : `${REPORT.field}: ${field.name}`}
      aside={onField && fields.length > 0 && (
        <label htmlFor={selectId} className="flex items-center gap-2 text-sm">
          {REPORT.chooseField}
          <select
            id={selectId}
            className="select select-sm max-w-56"
            value={field?.name ?? ""}
            onChange={({ currentTarget: { value } }) =>
              onField(value || undefined)}
          >
            <option value="">{REPORT.noField}</option>
            {fields.map((name) => <option key={name} value={name}>{name}</option>)}
          </select>
        </label>
      )}
    >
      {field === null
        ? (
          <p className="text-sm text-ink-2">
            {fields.length === 0 ? REPORT.noFields : REPORT.fieldHint}
          </p>
        )
        : field.isMasked
        ? <p className="text-sm text-ink-2">{REPORT.masked}</p>
        : field.hasTooMany
        ? <p className="text-sm text-ink-2">{REPORT.tooMany(field.name)}</p>
        : <Values field={field} />}
    </Section>
  );
}

function Values({ field: { name, values, rest } }: { field: NonNullable<Report["field"]> }) {
  const rows: { key: string; label: string; counts: CampaignCounts; isWord: boolean }[] = [
    ...values.map(({ value, ...counts }) => ({
      key: `v${value}`,
      label: value === "" ? REPORT.noValue : value,
      counts,
      isWord: value === "",
    })),
    ...rest === null ? [] : [{
      key: "rest",
      label: REPORT.restOfValues(rest.values),
      counts: countsOfRest(rest),
      isWord: true,
    }],
  ];
  return (
    <ReportTable
      caption={`${REPORT.field}: ${name}`}
      heads={[REPORT.value, REPORT.recipientsCount, REPORT.sent, REPORT.failedCount, REPORT.share]}
    >
      {rows.map(({ key, label, counts, isWord }) => {
        const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
        return (
          <tr key={key}>
            <th
              scope="row"
              className={`max-w-48 truncate print:whitespace-normal text-start ${
                isWord ? "font-normal text-ink-2" : ""
              }`}
            >
              <bdi>{label}</bdi>
            </th>
            <td>
              <Num>{formatNumber(all)}</Num>
            </td>
            <td className="whitespace-nowrap">
              <Num>{formatNumber(counts.sent)}</Num>{" "}
              <span className="text-xs text-ink-3">
                <Num>{percentOf(counts.sent, all)}</Num>
              </span>
            </td>
            <td className="whitespace-nowrap">
              <Num>{formatNumber(counts.failed)}</Num>{" "}
              <span className="text-xs text-ink-3">
                <Num>{percentOf(counts.failed, all)}</Num>
              </span>
            </td>
            <td className="w-1/4 min-w-24">
              <Strip counts={counts} running={false} height="0.5rem" />
            </td>
          </tr>
        );
      })}
    </ReportTable>
  );
}

function countsOfRest(
  { values: _, ...counts }: NonNullable<NonNullable<Report["field"]>["rest"]>,
): CampaignCounts {
  return counts;
}
