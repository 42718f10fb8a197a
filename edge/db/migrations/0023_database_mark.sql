-- The highest id of `events` in the marks that a site was given: one that it returns and that is above this was given
-- by a later state of the database, which has since been put back to an earlier one.
ALTER TABLE `sites` ADD COLUMN `mark_given` integer NOT NULL DEFAULT 0;
