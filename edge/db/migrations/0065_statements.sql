-- The entries of one month of a client.
CREATE INDEX `quota_ledger_at` ON `quota_ledger` (`client`,`at`);
--> statement-breakpoint
-- Where a client wants the statement of each month; without a row it stays on the screen.
CREATE TABLE `statement_mails` (
	`client` integer PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
-- One message for each client and month: the row says "sending" before anything leaves.
CREATE TABLE `statement_messages` (
	`client` integer NOT NULL,
	`month` text NOT NULL,
	`state` text NOT NULL,
	`reason` text,
	`attempts` integer NOT NULL,
	`tried_at` integer NOT NULL,
	`next_at` integer,
	PRIMARY KEY(`client`, `month`)
);
