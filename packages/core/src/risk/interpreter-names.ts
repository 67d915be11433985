/** The flags after which an interpreter takes code as its next word. */
export const CODE_FLAGS: ReadonlyMap<string, RegExp> = new Map([
  ['python', /^-[a-zA-Z]*c$/],
  ['node', /^(?:-[a-zA-Z]*[ep]|--eval|--print|-pe)$/],
  ['perl', /^-[a-zA-Z0-9]*[eE]$/],
  ['ruby', /^-[a-zA-Z]*e$/],
  ['php', /^-[a-zA-Z]*r$/],
  ['lua', /^-[a-zA-Z]*e$/],
  ['rscript', /^-e$/],
  ['osascript', /^-e$/],
  ['deno', /^eval$/],
  ['bun', /^(?:-e|--eval|-p|--print)$/],
])

/** The interpreter a name stands for: `python3.12` is `python`. */
export function interpreterOf(program: string): string | null {
  if (CODE_FLAGS.has(program)) return program
  if (program === 'nodejs' || program === 'tsx' || program === 'ts-node') return 'node'
  const last = program.charCodeAt(program.length - 1)
  if ((last < 48 || last > 57) && program !== 'pypy') return null
  const versioned = /^([a-z]{3,9})[\d.]{1,9}$/.exec(program)?.[1]
  if (versioned === undefined) return program === 'pypy' ? 'python' : null
  if (versioned === 'pypy') return 'python'
  return CODE_FLAGS.has(versioned) ? versioned : null
}
