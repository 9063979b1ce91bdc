"""A scripted model behind a chat completions server: rules over the rendered prompt alone, with seeded slips.

It knows the recipes up to iron and reads from the prompt what is held, so what a prompt does not say, it cannot know.
Usage: python3 tests/models/scripted_model.py PORT [SLIPS], where SLIPS is the share of steps that it forgets.
"""

import http.server
import json
import random
import sys

# Item: how many one craft gives, what it takes, and whether it needs a table.
RECIPES = {
    "stick": (4, {"#planks": 2}, False),
    "crafting_table": (1, {"#planks": 4}, False),
    "#planks": (4, {"#logs": 1}, False),
    "wooden_pickaxe": (1, {"#planks": 3, "stick": 2}, True),
    "stone_pickaxe": (1, {"cobblestone": 3, "stick": 2}, True),
    "furnace": (1, {"cobblestone": 8}, True),
    "iron_pickaxe": (1, {"iron_ingot": 3, "stick": 2}, True),
    "bucket": (1, {"iron_ingot": 3}, True),
    "shield": (1, {"#planks": 6, "iron_ingot": 1}, True),
}
# What is mined, and the least pickaxe for it.
MINED = {"#logs": None, "cobblestone": "wooden_pickaxe", "coal": "wooden_pickaxe", "iron_ore": "stone_pickaxe"}
SMELTED = {"iron_ingot": "iron_ore"}
PICKAXES = ["wooden_pickaxe", "stone_pickaxe", "iron_pickaxe"]
SMELTS_PER_COAL = 8
ENDINGS = {"#logs": "_log", "#planks": "_planks"}


class Planner:
    """Plans backwards from what is wanted, counting what is used up."""

    def __init__(self, held):
        self.held, self.stock, self.steps = held, {}, []

    def have(self, item):
        if item not in self.stock:
            fits = lambda name: name.endswith(ENDINGS[item]) if item in ENDINGS else name == item
            self.stock[item] = sum(count for name, count in self.held.items() if fits(name))
        return self.stock[item]

    def need(self, item, count):
        missing = count - self.have(item)
        if missing <= 0:
            return
        if item in MINED:
            self.tool(MINED[item])
            self.step("mine", item, missing)
        elif item in SMELTED:
            coal = -(-missing // SMELTS_PER_COAL)
            self.need(SMELTED[item], missing)
            self.need("furnace", 1)
            self.need("coal", coal)
            self.stock[SMELTED[item]] -= missing
            self.stock["coal"] -= coal
            self.step("smelt", item, missing, "coal")
        else:
            self.craft(item, missing)

    def craft(self, item, missing):
        gives, parts, needs_table = RECIPES[item]
        times = -(-missing // gives)
        if needs_table:
            self.need("crafting_table", 1)
        # One part may use up another, so until all are there.
        while any(self.have(part) < count * times for part, count in parts.items()):
            for part, count in parts.items():
                self.need(part, count * times)
        for part, count in parts.items():
            self.stock[part] -= count * times
        self.step("craft", item, gives * times)

    def tool(self, least):
        if least and not any(self.have(known) for known in PICKAXES[PICKAXES.index(least) :]):
            self.need(least, 1)

    def step(self, how, item, count, fuel=None):
        total = self.have(item) + count
        self.stock[item] = total
        self.steps.append((how, item, total, fuel))


def blocks(user):
    """The data of a prompt, by the line before it."""
    found, last = {}, ""
    for line in user.split("\n"):
        if line.startswith("<data>"):
            found[last] = json.loads(line.removeprefix("<data>").removesuffix("</data>"))
        elif line.strip():
            last = line
    return lambda start: next((data for line, data in found.items() if line.startswith(start)), None)


def plan(data, rng, slips):
    task = data("The task")
    planner = Planner(data("The state now")["held"])
    planner.need(task["item"], task["count"])
    steps = []
    for how, item, total, fuel in planner.steps:
        is_last = len(steps) + 1 == len(planner.steps)
        if len(planner.steps) > 3 and not is_last and rng.random() < slips:
            continue
        goal = {"object": item, "count": total}
        if fuel:
            goal["material"] = fuel
        step = {"subgoal_id": f"sg_{len(steps) + 1:03}", "executor_hint": how, "goal": goal}
        if steps:
            step["needs"] = [steps[-1]["subgoal_id"]]
        steps.append(step)
    return {"subgoals": steps}


def answer(system, user, rng, slips):
    data = blocks(user)
    if system.startswith("You plan for an agent"):
        return plan(data, rng, slips)
    if system.startswith("You find out why"):
        last = data("Its failed attempts")[-1]
        return {"root_cause": last["summary"], "constraint": None, "next_actions": []}
    if system.startswith("You turn a success"):
        steps = data("The steps that were done")
        return {"requires": "always", "steps": [step["subgoal_id"] for step in steps]}
    return {"facts": [], "constraints": [], "next_actions": []}


def tokens(text):
    return len(text) * 2 // 7


def main():
    port, slips = int(sys.argv[1]), float(sys.argv[2]) if len(sys.argv) > 2 else 0.0
    rng = random.Random(7)

    class Chat(http.server.BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def do_POST(self):
            request = json.loads(self.rfile.read(int(self.headers["content-length"])))
            system, user = (message["content"] for message in request["messages"])
            text = json.dumps(answer(system, user, rng, slips), separators=(",", ":"))
            usage = {"prompt_tokens": tokens(system + user), "completion_tokens": tokens(text)}
            choice = {"message": {"content": text}, "finish_reason": "stop"}
            reply = json.dumps({"choices": [choice], "usage": usage}).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(reply)))
            self.end_headers()
            self.wfile.write(reply)

    http.server.ThreadingHTTPServer(("127.0.0.1", port), Chat).serve_forever()


if __name__ == "__main__":
    main()
