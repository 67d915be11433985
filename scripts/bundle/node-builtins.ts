import type { Plugin } from 'rolldown'

const IMPORT = /^import (?:([\w$]+)(?:, )?)?(?:\{ ([^}]*) \}|\* as ([\w$]+))? ?(?:from )?["'](node:[\w/]+)["'];$/gm

/**
 * Takes Node's modules from `process.getBuiltinModule`. An `import` reads every export of a module, and some are only
 * made when they are read: `import 'node:http'` alone starts Node's whole fetch, which takes longer than Node itself.
 */
export function nodeBuiltins(): Plugin {
  return {
    name: 'node-builtins',
    renderChunk(code) {
      return code.replace(
        IMPORT,
        (_, whole: string | undefined, names: string | undefined, all: string | undefined, id: string) => {
          const module = `globalThis.process.getBuiltinModule(${JSON.stringify(id)})`
          const lines = [
            ...[whole, all].flatMap((name) => (name === undefined ? [] : [`const ${name} = ${module};`])),
            ...(names === undefined ? [] : [`const { ${names.replaceAll(' as ', ': ')} } = ${module};`]),
          ]
          return lines.length === 0 ? '' : lines.join('\n')
        },
      )
    },
  }
}
