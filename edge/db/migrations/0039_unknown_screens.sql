-- An account whose app shows a screen that its site does not know: the notice of its last report (JSON: fingerprint,
-- kind, window and ids of the screen, no word of it), and since when it is this one.
ALTER TABLE `accounts` ADD `unknown_screen` text;
--> statement-breakpoint
ALTER TABLE `accounts` ADD `unknown_since` integer;
--> statement-breakpoint
CREATE INDEX `accounts_unknown_screen` ON `accounts` (`unknown_since`) WHERE unknown_screen IS NOT NULL;
--> statement-breakpoint
-- Whether a phone of its site has shown the screens of the app's version; null = an older agent, or not known.
ALTER TABLE `accounts` ADD `screens_seen` integer;
