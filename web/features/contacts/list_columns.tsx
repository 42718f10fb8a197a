import type { Consent } from "shared/consent.ts";
import type { ContactsAdded } from "shared/lists_api.ts";
import { StagedForm } from "./staged_form.tsx";
import { takeIntoList } from "./staged_files.ts";
import { PREVIEW } from "./text/preview.ts";

export interface ListColumnsProps {
  listId: number;
  file: File;
  /** Returns the declaration; null when an entry of it is missing, which the fields then say. */
  declare: () => { consent: Consent | undefined } | null;
  onTaken: (result: ContactsAdded) => void;
  onClose: () => void;
}

/** Chooses the columns of a file that a list keeps, under which names, and adds its people. */
export function ListColumns({ listId, declare, ...form }: ListColumnsProps) {
  return (
    <StagedForm
      {...form}
      heading={PREVIEW.listHeading}
      takeText={PREVIEW.takeIntoList}
      takingText={PREVIEW.taking}
      take={(of) => {
        const declared = declare();
        return declared && takeIntoList(listId, { ...of, ...declared });
      }}
    />
  );
}
