-- Calls that were made with an Idempotency-Key, for a day: what they were, and what they made. Marks stand in place of
-- the key and the body; no number and no text is kept.
CREATE TABLE `repeatable_calls` (
  `person` integer NOT NULL REFERENCES `users`(`id`),
  `key_mark` text NOT NULL,
  `attempt` text NOT NULL,
  `call_mark` text DEFAULT '' NOT NULL,
  `status` integer DEFAULT 0 NOT NULL,
  `made` integer,
  `figures` text DEFAULT '{}' NOT NULL,
  `began_at` integer NOT NULL,
  `runs_until` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `repeatable_calls_key` ON `repeatable_calls` (`person`, `key_mark`);
--> statement-breakpoint
CREATE INDEX `repeatable_calls_began_at` ON `repeatable_calls` (`began_at`);
