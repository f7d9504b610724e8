/** Whether a bare word of a category is a part of its values. */
const isNamedInPart = (name) => name === "client" || name === "process";

/** Whether a selection stands in quotes, so that nothing in it is special. */
const isQuoted = (text) => /^".+"$/s.test(text);

/** Whether a selection may stand for several values. */
const isPattern = (name, text) => !isQuoted(text) && (name === "host" || name === "type"
  || (["tag", "lens", "rule"].includes(name) && text.includes("*"))
  || (isNamedInPart(name) && !/\s/.test(text)) || (name === "code" && /[x<>=-]/.test(text)));

/** A value as it stands in a query text after its category's name. */
export function word(name, value) {
  const isPlain = /^[^\s",()*<>=[\]/!|&][^\s",()*<>=[\]|&]*$/.test(value) && (!isNamedInPart(name) || value === "none");
  return isPlain ? value : quoted(value);
}

/** A text in quotes, as queries and lists of values take it. */
const quoted = (text) => `"${text.replace(/["\\]/g, "\\$&")}"`;

/** A value as a selection that means it alone: in quotes where it would be read as a pattern, a regular expression or another text in quotes. */
export function selection(value) {
  const isSpecial = value.includes("*") || isQuoted(value) || /^\/.+\/$/s.test(value) || value.trim() !== value;
  // One with a comma is put in quotes where the list is written.
  return isSpecial && !value.includes(",") ? quoted(value) : value;
}

/** What a click on a value of a category means for the filter: wanted, alone wanted, or left out. */
export class Choices {
  #view;
  #reading;
  /** The click that is under way: the next one begins with what it leaves. */
  #turn = Promise.resolve();

  constructor({ view, reading }) {
    this.#view = view;
    this.#reading = reading;
  }

  #next(does) { return this.#turn = this.#turn.then(does, does); }

  /** Whether the query text leaves a value of a category out. */
  isExcluded(name, value) { return this.excluded(name).some((one) => isSame(one, value)); }

  /** The values of a category that the query text leaves out. */
  excluded(name) {
    return this.#reading.terms.filter((term) => term.negated && term.facet === name)
      .flatMap(({ parts }) => parts.map((part) => part.value ?? part.text));
  }

  /** Wants a value, or no longer; taking away one that a pattern selected leaves the others of the pattern. */
  toggle(name, value, isWanted, values) {
    return this.#next(async () => {
      const { wanted, others } = await this.#split(name);
      if (isWanted) return this.#become(name, [...wanted, selection(value)], without(others, name, value));
      const isNamed = wanted.some((one) => isOf(one, value));
      const hasPattern = wanted.some((one) => isPattern(name, one));
      const rest = isNamed && !hasPattern
        ? wanted.filter((one) => !isOf(one, value))
        : values.filter((one) => one.selected && one.value !== value).map((one) => selection(one.value));
      this.#become(name, rest, others);
    });
  }

  /** Wants one value of a category and no other; once more, all of them again. */
  only(name, value) {
    return this.#next(async () => {
      const { wanted, others } = await this.#split(name);
      const isAlone = wanted.length === 1 && isOf(wanted[0], value);
      this.#become(name, isAlone ? [] : [selection(value)], others.filter(({ facet }) => facet !== name));
    });
  }

  /** Leaves a value out, or no longer. */
  exclude(name, value) {
    return this.#next(async () => {
      const { wanted, others } = await this.#split(name);
      const rest = without(others, name, value);
      if (rest.length === others.length && rest.every((term, index) => term === others[index])) rest.push({ text: `-${name}:${word(name, value)}` });
      this.#become(name, wanted.filter((one) => !isOf(one, value)), rest);
    });
  }

  /** Wants everything of a category again. */
  clear(name) {
    return this.#next(async () => {
      const { others } = await this.#split(name);
      this.#become(name, [], others.filter(({ facet }) => facet !== name));
    });
  }

  /** Adds a term to the query text, unless it is there. */
  add(text) {
    return this.#next(async () => {
      const terms = this.#view.text ? await this.#reading.known() : [];
      if (!terms.some((term) => term.text === text)) this.#view.change({ text: joined([...terms, { text }]) });
    });
  }

  /** Puts another text in place of a term of the query text; none takes it away. */
  replace(term, text) {
    return this.#next(async () => {
      const terms = await this.#reading.known();
      const alike = [...terms.keys()].filter((at) => terms[at].text === term.text);
      // A click before this one may have moved it.
      const at = alike.find((one) => terms[one].from === term.from) ?? alike[0];
      if (at === undefined) return;
      this.#view.change({ text: joined(terms.with(at, { text })) });
    });
  }

  /** What is wanted of a category, by its selection and by terms of the query text, and the other terms. */
  async #split(name) {
    const terms = this.#view.text ? await this.#reading.known() : [];
    const isOwn = (term) => term.facet === name && !term.negated;
    // What a term names stands in it without the quotes that it may have had.
    const written = terms.filter(isOwn).flatMap(({ parts }) => parts.map(({ value, text }) => (value ? selection(value) : text)));
    return { wanted: [...new Set([...this.#view.selected(name), ...written])], others: terms.filter((term) => !isOwn(term)) };
  }

  #become(name, wanted, terms) {
    const present = Object.fromEntries(this.#view.categories.map((one) => [one, this.#view.selected(one)]));
    this.#view.change({ selections: { ...present, [name]: wanted }, text: joined(terms) });
  }
}

const isSame = (one, other) => one.toLowerCase() === other.toLowerCase();

/** Whether a selection means this one value. */
const isOf = (chosen, value) => isSame(chosen, selection(value)) || isSame(chosen, value);

/** Whether a term is alternatives without parentheses of their own, which only by themselves mean what they say. */
const isBareList = ({ text, negation }) => negation === `-(${text})`;

function joined(terms) {
  const said = terms.filter(({ text }) => text);
  return said.map((term) => (said.length > 1 && isBareList(term) ? `(${term.text})` : term.text)).join(" ");
}

/** The terms with none of them leaving this value out. */
function without(terms, name, value) {
  return terms.flatMap((term) => {
    if (term.facet !== name || !term.negated || !term.parts.some((part) => isSame(part.value ?? part.text, value))) return [term];
    const rest = term.parts.filter((part) => !isSame(part.value ?? part.text, value));
    return rest.length ? [{ text: `-${name}:${rest.map(({ text }) => text).join(",")}` }] : [];
  });
}
