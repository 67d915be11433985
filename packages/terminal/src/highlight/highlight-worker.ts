import { parentPort } from 'node:worker_threads'
import { createHighlighterCore } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import type { Style } from '../card/text/color.ts'
import type { CodeRequest, CodeSpans } from './highlighter.ts'
import { LANGUAGES } from './languages.ts'

/** A thread of its own for colouring code: a grammar that takes for ever on some line takes nobody's time. */

/** What parts of code look like. Red and green are left to what is removed and added, and nothing is dimmed: all of it runs. */
const PARTS: readonly { readonly style: Style; readonly scope: readonly string[] }[] = [
  { style: 'blue', scope: ['comment', 'punctuation.definition.comment'] },
  { style: 'yellow', scope: ['string', 'constant.character.escape', 'markup.inline.raw'] },
  { style: 'cyan', scope: ['constant.numeric', 'constant.language', 'variable.language'] },
  { style: 'magenta', scope: ['keyword.control', 'keyword.other', 'storage', 'entity.name.tag', 'markup.heading'] },
]

/** Each part has a colour nobody sees: it only says which style is meant. */
const color = (at: number): string => `#${String(at + 1).padStart(6, '0')}`

/** The style behind each colour of the theme. */
const COLORS: ReadonlyMap<string, Style> = new Map(PARTS.map(({ style }, at) => [color(at), style]))

/** A theme that names styles, not colours: the terminal's own palette decides how they look. */
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
      tokenizeTimeLimit: 0, // whoever started this thread ends it when it takes too long
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
    return null // code without colours is still all there
  }
}
