-- People of a client: a user may work for another user's account, with a duty. NULL = for their own, so every client
-- before this is the owner of one. The columns' names are new in every table: an older edge joins users with others.
ALTER TABLE `users` ADD `works_for` integer REFERENCES `users`(`id`);
--> statement-breakpoint
ALTER TABLE `users` ADD `duty` text DEFAULT 'owner' NOT NULL;
--> statement-breakpoint
-- Set by a restore: what was taken away since the backup must not come back before the owner confirms it.
ALTER TABLE `users` ADD `waits` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `users` ADD `left_at` integer;
--> statement-breakpoint
CREATE INDEX `users_works_for` ON `users` (`works_for`, `id`) WHERE works_for IS NOT NULL;
--> statement-breakpoint
CREATE TABLE `invitations` (
  `id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  `client` integer NOT NULL REFERENCES `users`(`id`),
  `duty` text NOT NULL,
  `label` text NOT NULL,
  `token_hash` text NOT NULL,
  `tries` integer DEFAULT 0 NOT NULL,
  `created_at` integer NOT NULL,
  `expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_token_hash_unique` ON `invitations` (`token_hash`);
--> statement-breakpoint
CREATE INDEX `invitations_client` ON `invitations` (`client`, `id`);
--> statement-breakpoint
-- The person who made or last edited the campaign, for the audit log; NULL = the client, by an earlier release.
ALTER TABLE `campaigns` ADD `edited_by` integer;
