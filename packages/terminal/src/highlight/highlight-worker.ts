import { parentPort } from 'node:worker_threads'
import { createHighlighterCore } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import type { Style } from '../card/text/color.ts'
import type { CodeRequest, CodeSpans } from './highlighter.ts'
import { LANGUAGES } from './languages.ts'

/** Worker that highlights code, so that a slow grammar does not block the screen. */

/** Styles for code. Red and green are reserved for diffs, and nothing is dimmed: all of the code runs. */
const PARTS: readonly { readonly style: Style; readonly scope: readonly string[] }[] = [
  { style: 'blue', scope: ['comment', 'punctuation.definition.comment'] },
  { style: 'yellow', scope: ['string', 'constant.character.escape', 'markup.inline.raw'] },
  { style: 'cyan', scope: ['constant.numeric', 'constant.language', 'variable.language'] },
  { style: 'magenta', scope: ['keyword.control', 'keyword.other', 'storage', 'entity.name.tag', 'markup.heading'] },
]

/** A placeholder color per style; it is never shown. */
const color = (at: number): string => `#${String(at + 1).padStart(6, '0')}`

/** The style for each color of the theme. */
const COLORS: ReadonlyMap<string, Style> = new Map(PARTS.map(({ style }, at) => [color(at), style]))

/** A theme of placeholder colors, one per style: the terminal's palette decides how they look. */
const THEME = {
  name: 'countersign',
  type: 'dark' as const,
  fg: '#ffffff',
  bg: '#000000',
  settings: [
    { settings: { foreground: '#ffffff' } },
    ...PARTS.map(({ scope }, at) => ({ scope: [...scope], settings: { foreground: color(at) } })),
  ],
}

const highlighter = createHighlighterCore({
  themes: [THEME],
  langs: [],
  engine: createJavaScriptRegexEngine({ forgiving: true }),
})

parentPort?.on('message', (request: CodeRequest) => {
  void colour(request).then((spans) => parentPort?.postMessage({ id: request.id, spans }))
})

async function colour({ language, lines }: CodeRequest): Promise<CodeSpans | null> {
  try {
    const shiki = await highlighter
    const load = LANGUAGES[language]
    if (load === undefined) return null
    await shiki.loadLanguage(load())
    const tokens = shiki.codeToTokensBase(lines.join('\n'), {
      lang: language,
      theme: 'countersign',
      tokenizeTimeLimit: 0, // the highlighter has its own timeout
    })
    let start = 0
    return tokens.map((line, at) => {
      const from = start
      start += (lines[at]?.length ?? 0) + 1
      return line.flatMap(({ content, offset, color }) => {
        const style = COLORS.get(color ?? '')
        return style === undefined
          ? []
          : [{ start: offset - from, end: offset - from + content.length, styles: [style] }]
      })
    })
  } catch {
    return null // show plain code
  }
}
