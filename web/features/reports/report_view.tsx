import { Info } from "lucide-react";
import type { Report } from "shared/report_api.ts";
import { Notice } from "../../ui/notice.tsx";
import { EarlierSection } from "./earlier_section.tsx";
import { FieldSection, type FieldSectionProps } from "./field_section.tsx";
import { OutcomeSection } from "./outcome_section.tsx";
import { PlaceSection } from "./place_section.tsx";
import { ReportFigures } from "./report_figures.tsx";
import { REPORT } from "./text.ts";
import { HourSection, TimeSection } from "./time_section.tsx";

type ReportViewProps = Pick<FieldSectionProps, "onField"> & {
  report: Report;
  /** On paper every table follows its picture. */
  isPaper?: boolean;
};

/** Everything that came of a campaign. */
export function ReportView({ report, onField, isPaper = false }: ReportViewProps) {
  return (
    <>
      {report.isForgotten && <Notice tone="idle" icon={Info} lead={REPORT.forgotten} className="mb-4" />}
      <ReportFigures report={report} />
      <OutcomeSection report={report} />
      <TimeSection report={report} isPaper={isPaper} />
      <HourSection report={report} isPaper={isPaper} />
      <FieldSection report={report} onField={onField} />
      {report.places && <PlaceSection places={report.places} />}
      <EarlierSection report={report} isPaper={isPaper} />
    </>
  );
}
