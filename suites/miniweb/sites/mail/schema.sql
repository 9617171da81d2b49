create table mail_messages (
  id integer primary key, owner integer not null, folder text not null, sender text not null, sender_mail text not null,
  recipient text not null, subject text not null, body text not null, sent_at text not null,
  starred integer not null default 0, seen integer not null default 0
);
create table mail_contacts (id integer primary key, owner integer not null, name text not null, mail text not null);
create table mail_settings (
  id integer primary key, owner integer not null, signature text not null,
  away integer not null, away_text text not null
);
