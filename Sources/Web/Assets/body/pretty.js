const token = /"(?:[^"\\]|\\[^])*"|[{}[\],:]|[^\s"{}[\],:]+/g;

/** JSON set out by its levels, every token as it stands, so that a number keeps its digits. */
export function pretty(text) {
  let depth = 0;
  let result = "";
  const line = () => `\n${"  ".repeat(depth)}`;
  const tokens = text.match(token) ?? [];
  tokens.forEach((one, index) => {
    const next = tokens[index + 1];
    if (one === "{" || one === "[") {
      const isEmpty = next === "}" || next === "]";
      depth += isEmpty ? 0 : 1;
      result += isEmpty ? one : one + line();
    } else if (one === "}" || one === "]") {
      const isEmpty = tokens[index - 1] === "{" || tokens[index - 1] === "[";
      if (!isEmpty) {
        depth = Math.max(0, depth - 1);
        result += line();
      }
      result += one;
    } else {
      result += one === "," ? `,${line()}` : one === ":" ? ": " : one;
    }
  });
  return result;
}
