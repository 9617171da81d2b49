create table notes_notes (
  id integer primary key, text text not null, stars integer not null default 0, seen integer not null default 0
);
create table notes_count (id integer primary key, total integer not null);
create table notes_visits (id integer primary key, path text not null);
