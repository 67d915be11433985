import type { LanguageInput } from 'shiki/core'

/** Bundled grammars by their shiki name, loaded on first use. */
export const LANGUAGES: Readonly<Record<string, () => LanguageInput>> = {
  typescript: () => import('shiki/langs/typescript.mjs'),
  tsx: () => import('shiki/langs/tsx.mjs'),
  javascript: () => import('shiki/langs/javascript.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
  toml: () => import('shiki/langs/toml.mjs'),
  markdown: () => import('shiki/langs/markdown.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  rust: () => import('shiki/langs/rust.mjs'),
  go: () => import('shiki/langs/go.mjs'),
  java: () => import('shiki/langs/java.mjs'),
  c: () => import('shiki/langs/c.mjs'),
  shellscript: () => import('shiki/langs/shellscript.mjs'),
  sql: () => import('shiki/langs/sql.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  css: () => import('shiki/langs/css.mjs'),
  docker: () => import('shiki/langs/docker.mjs'),
}

const BY_ENDING: ReadonlyMap<string, string> = new Map(
  Object.entries({
    typescript: 'ts mts cts',
    tsx: 'tsx jsx',
    javascript: 'js mjs cjs',
    json: 'json jsonc json5',
    yaml: 'yaml yml',
    toml: 'toml',
    markdown: 'md markdown',
    python: 'py pyi',
    rust: 'rs',
    go: 'go',
    java: 'java',
    c: 'c h cc cpp hpp',
    shellscript: 'sh bash zsh',
    sql: 'sql',
    html: 'html htm vue svelte',
    css: 'css scss less',
    docker: 'dockerfile',
  }).flatMap(([language, endings]) => endings.split(' ').map((ending) => [ending, language] as const)),
)

/** The language of a file name; undefined if not supported. */
export function languageOf(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  return BY_ENDING.get(name.slice(name.lastIndexOf('.') + 1))
}
