create table people (
  id integer primary key, name text not null, mail text not null
);
