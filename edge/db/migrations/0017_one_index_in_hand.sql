-- Whoever asks by the token of a lease knows its site: one tree for both, where a lease and a report wrote two.
DROP INDEX `deliveries_token`;
--> statement-breakpoint
DROP INDEX `deliveries_site`;
--> statement-breakpoint
CREATE INDEX `deliveries_in_hand` ON `deliveries` (`site`,`token`) WHERE state = 'leased';
