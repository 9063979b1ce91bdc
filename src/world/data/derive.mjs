// Derives items.json, blocks.json, block_flags.txt and recipes.json from the npm package minecraft-data.
//
//   npm pack minecraft-data@3.117.0 && tar xzf minecraft-data-3.117.0.tgz
//   node src/world/data/derive.mjs package
//
// The package's known defects are corrected here, by name, so that a newer version can be derived again without
// editing its output by hand. families.json, which is ours, names the tags into which alternatives collapse.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const source = process.argv[2];
if (!source) throw new Error("usage: node derive.mjs <extracted package directory>");
const read = (name) => JSON.parse(readFileSync(join(source, "minecraft-data/data/pc/1.16.2", `${name}.json`), "utf8"));
const rawItems = read("items");
const rawBlocks = read("blocks");
const rawRecipes = read("recipes");
const families = JSON.parse(readFileSync(join(here, "families.json"), "utf8")).families;
const nameOf = new Map(rawItems.map((item) => [item.id, item.name]));
const isItem = new Set(nameOf.values());

function writeRows(file, rows) {
  writeFileSync(join(here, file), `[\n${rows.map((row) => JSON.stringify(row)).join(",\n")}\n]\n`);
}

// ---- items

writeRows("items.json", rawItems.map((item) => {
  const row = { name: item.name, stack: item.stackSize };
  if (item.maxDurability) row.durability = item.maxDurability;
  return row;
}));

// ---- blocks

const ends = (...suffixes) => (name) => suffixes.some((suffix) => name.endsWith(suffix));
const among = (...names) => (name) => names.includes(name);

// Which kind of tool is quick on a block, first match wins; materials in the package are too coarse for this.
const TOOLS = [
  [ends("_leaves", "_wart_block"), "hoe"],
  [among("hay_block", "dried_kelp_block", "sponge", "wet_sponge", "shroomlight", "target"), "hoe"],
  [among("coarse_dirt", "podzol"), "shovel"],
  [ends("_shulker_box", "piston", "piston_head"), "pickaxe"],
  [among("shulker_box", "blue_ice", "frosted_ice", "observer", "magma_block", "bone_block"), "pickaxe"],
  [ends("purpur_block", "purpur_pillar", "nether_bricks", "blackstone"), "pickaxe"],
  [ends("_banner", "_button", "bamboo", "bamboo_sapling"), "axe"],
  [among("ladder", "chorus_plant", "chorus_flower", "cocoa"), "axe"],
];
const BY_MATERIAL = { rock: "pickaxe", wood: "axe", plant: "axe", dirt: "shovel", web: "sword", wool: "shears" };

// The package forgot that these need a pickaxe (all stone-like shapes do).
const FORGOTTEN = (name) => ["stonecutter", "bell", "chiseled_polished_blackstone"].includes(name)
  || (/_(stairs|slab|wall)$/.test(name) && /(stone|granite|diorite|andesite|quartz|brick|purpur|prismarine)/.test(name));

// These stand in the package as stone; only the petrified slab is.
const WOODEN = /^((oak|spruce|birch|jungle|acacia|dark_oak|crimson|warped)_slab|(crimson|warped)_pressure_plate)$/;

function toolFor(block) {
  const { name, material } = block;
  if (block.hardness === 0) return undefined;
  if (name === "stone_button" || name === "polished_blackstone_button") return "pickaxe";
  if (WOODEN.test(name)) return "axe";
  if (FORGOTTEN(name)) return "pickaxe";
  if (name === "cactus" || name === "beacon") return undefined;
  return TOOLS.find(([matches]) => matches(name))?.[1] ?? BY_MATERIAL[material];
}

const TIERS = ["wood", "stone", "iron", "diamond"];
const TIER_OF = { wooden: "wood", golden: "wood", stone: "stone", iron: "iron", diamond: "diamond", netherite: "diamond" };
function harvestFor(block) {
  const tools = Object.keys(block.harvestTools ?? {}).map((id) => nameOf.get(Number(id)));
  if (block.name === "cobweb") return "wood";
  // What breaks at a touch needs no tool (the package wants a pickaxe for peonies).
  if (WOODEN.test(block.name) || block.hardness === 0) return undefined;
  const tiers = tools.map((tool) => TIERS.indexOf(TIER_OF[tool.split("_")[0]])).filter((tier) => tier >= 0);
  if (tiers.length > 0) return TIERS[Math.min(...tiers)];
  return FORGOTTEN(block.name) ? "wood" : undefined;
}

const FALLS = (name) => ["sand", "red_sand", "gravel", "dragon_egg"].includes(name)
  || name.endsWith("_concrete_powder") || /^(chipped_|damaged_)?anvil$/.test(name);
const REPLACEABLE = new Set(("air cave_air void_air water lava bubble_column grass fern dead_bush seagrass tall_seagrass fire"
  + " soul_fire snow vine tall_grass large_fern structure_void crimson_roots warped_roots nether_sprouts").split(" "));
const FLUID = new Set(["water", "lava", "bubble_column"]);
// Full cubes that the package calls transparent because one of their states is.
const OPAQUE = new Set(("redstone_ore furnace smoker blast_furnace barrel pumpkin carved_pumpkin jack_o_lantern melon glowstone"
  + " redstone_lamp redstone_block observer tnt sea_lantern target grass_path farmland chiseled_polished_blackstone"
  + " piston sticky_piston").split(" "));
// Light only while lit, which is a state and not the block.
const DARK = new Set(["furnace", "redstone_ore", "redstone_lamp"]);
const LIGHT = { campfire: 15, soul_campfire: 10, lantern: 15, soul_lantern: 10, soul_torch: 10, soul_wall_torch: 10,
  soul_fire: 10, shroomlight: 15, crying_obsidian: 10, magma_block: 3, ender_chest: 7, conduit: 15, respawn_anchor: 0 };

const flags = [];
writeRows("blocks.json", rawBlocks.map((block) => {
  const { name } = block;
  // Of snow only the thin layer lies about in nature, and nothing collides with that.
  const solid = block.boundingBox === "block" && name !== "snow";
  const opaque = solid && (!block.transparent || OPAQUE.has(name));
  const light = LIGHT[name] ?? (DARK.has(name) ? 0 : block.emitLight);
  // Bits as in block.rs; 64 keeps every byte a printable character.
  flags.push(64 + (solid ? 1 : 0) + (opaque ? 2 : 0) + (FLUID.has(name) ? 4 : 0)
    + (REPLACEABLE.has(name) ? 8 : 0) + (FALLS(name) ? 16 : 0) + (light ? 32 : 0));
  const row = { name, hardness: block.diggable && !FLUID.has(name) ? block.hardness : -1 };
  const tool = toolFor(block);
  const harvest = harvestFor(block);
  if (tool) row.tool = tool;
  if (harvest) row.harvest = harvest;
  if (light) row.light = light;
  // Blocks without an item of their own name; a list is dropped whole (flower and pot).
  const drop = block.drops.map((id) => nameOf.get(id)).filter(Boolean);
  if (!isItem.has(name) && drop.length > 0) row.drop = drop;
  return row;
}));
writeFileSync(join(here, "block_flags.txt"), Buffer.from(flags));

// ---- recipes

const bySize = Object.entries(families).sort(([, a], [, b]) => b.length - a.length);

// A recipe as a layout of slot letters plus the items behind the letters, so that alternatives of one layout can be compared.
function pattern(raw) {
  const keys = [];
  const letter = (id) => {
    if (id === null) return null;
    const name = nameOf.get(typeof id === "object" ? id.id : id);
    if (!keys.includes(name)) keys.push(name);
    return keys.indexOf(name);
  };
  const rows = raw.inShape?.map((row) => row.map(letter));
  const items = raw.ingredients?.map(letter);
  const returns = {};
  for (const id of (raw.outShape ?? []).flat()) if (id !== null) returns[nameOf.get(id)] = (returns[nameOf.get(id)] ?? 0) + 1;
  return { rows, items, keys, count: raw.result.count, returns };
}

// Replaces alternatives that together are one family by the family, until nothing changes.
function collapse(tuples) {
  const text = (tuple) => tuple.join(" ");
  let left = tuples;
  const complete = (members, at) => left.find((tuple) => tuple[at] === members[0]
    && members.every((member) => left.some((other) => text(other) === text(tuple.with(at, member)))));
  for (let before = 0; before !== left.length;) {
    before = left.length;
    for (const [family, members] of bySize) {
      for (let at = 0; at < left[0].length; at += 1) {
        // Every base of one family first: a smaller family must not take what belongs to a larger one.
        for (let base = complete(members, at); base; base = complete(members, at)) {
          const gone = new Set(members.map((member) => text(base.with(at, member))));
          left[left.indexOf(base)] = base.with(at, family);
          left = left.filter((tuple) => !gone.has(text(tuple)));
        }
      }
    }
  }
  return left;
}

// Unpacking a storage block (or packing nuggets) is no way to get the first one.
const isUnpacking = (product, keys) => keys.length === 1
  && (/_block$/.test(keys[0]) || /_nugget$/.test(keys[0])) && !/_(block|slab|stairs|pillar|bricks|dye)$/.test(product)
  && !/^(snow$|purpur|quartz|chiseled|smooth|polished|carved)/.test(product);

function recipesOf(product, raws) {
  const groups = new Map();
  for (const raw of raws) {
    const found = pattern(raw);
    const id = JSON.stringify([found.rows, found.items, found.count]);
    groups.set(id, [...(groups.get(id) ?? []), found]);
  }
  const recipes = [];
  for (const group of groups.values()) {
    for (const keys of collapse(group.map((one) => one.keys))) {
      const { rows, items, count, returns } = group[0];
      const name = (letter) => (letter === null ? "-" : keys[letter]);
      const row = { product, count };
      if (rows) row.rows = rows.map((line) => line.map(name).join(" "));
      else row.items = items.map(name);
      if (Object.keys(returns).length > 0) row.returns = returns;
      if (isUnpacking(product, keys)) row.reversible = true;
      recipes.push([row, keys]);
    }
  }
  // Plain ways first: no unpacking, families before single alternatives, few kinds of ingredients.
  const rank = ([row, keys]) => (row.reversible ? 100 : 0) + keys.length * 2 - (keys.some((key) => key.startsWith("#")) ? 1 : 0);
  return recipes.map((entry, at) => [rank(entry), at, entry[0]]).sort((a, b) => a[0] - b[0] || a[1] - b[1]).map((entry) => entry[2]);
}

writeRows("recipes.json", Object.entries(rawRecipes).flatMap(([id, raws]) => recipesOf(nameOf.get(Number(id)), raws)));
