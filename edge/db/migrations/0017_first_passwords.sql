-- Until when a password that somebody else gave opens; null where its user chose it.
ALTER TABLE `users` ADD COLUMN `first_password_until` integer;
