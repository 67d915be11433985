import type { Plugin } from 'rolldown'

const IMPORT = /^import (?:([\w$]+)(?:, )?)?(?:\{ ([^}]*) \}|\* as ([\w$]+))? ?(?:from )?["'](node:[\w/]+)["'];$/gm

/** Modules that take a millisecond or more to load and that many starts do not use. Only their functions may be imported. */
const ON_FIRST_USE: ReadonlySet<string> = new Set(['node:child_process', 'node:fs/promises', 'node:v8'])

/**
 * Gets Node's modules from `process.getBuiltinModule`. An `import` reads every export of a module, and some are lazy:
 * `import 'node:http'` loads all of Node's fetch, which takes longer than starting Node itself.
 */
export function nodeBuiltins(): Plugin {
  return {
    name: 'node-builtins',
    renderChunk: (code) => code.replace(IMPORT, rewrite),
  }
}

function rewrite(
  _: string,
  whole: string | undefined,
  names: string | undefined,
  all: string | undefined,
  id: string,
): string {
  const module = `globalThis.process.getBuiltinModule(${JSON.stringify(id)})`
  const isLazy = ON_FIRST_USE.has(id)
  const spaces = [whole, all].flatMap((name) => (name === undefined ? [] : [name]))
  return [
    ...spaces.map((name) =>
      isLazy ? `const ${name} = new Proxy({}, { get: (_, key) => ${module}[key] });` : `const ${name} = ${module};`,
    ),
    ...(names === undefined
      ? []
      : isLazy
        ? standIns(names, module)
        : [`const { ${names.replaceAll(' as ', ': ')} } = ${module};`]),
  ].join('\n')
}

function standIns(names: string, module: string): readonly string[] {
  return names.split(', ').map((one) => {
    const [name = '', local = name] = one.split(' as ')
    if (!/^[a-z]/.test(name) || name === 'constants')
      throw new Error(`\`${name}\` is not a function, so it can't be loaded on first use`)
    return `const ${local} = (...args) => ${module}.${name}(...args);`
  })
}
