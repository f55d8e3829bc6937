-- the deepest recursion of each function
with recursive up(profile, node, function, above, levels) as (
  select profile, id, function, parent, 1 from node where function is not null
  union all
  select u.profile, u.node, u.function, n.parent, u.levels + (n.function is u.function)
  from up u join node n on n.profile = u.profile and n.id = u.above)
select f.name, max(u.levels) as depth
from up u join function f on f.profile = u.profile and f.id = u.function
group by u.profile, u.function
having depth > 1
order by depth desc, f.name
limit 30;
