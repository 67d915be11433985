/** A thread of its own for colouring code: a grammar that takes for ever on some line takes nobody's time. */
import { parentPort } from 'node:worker_threads'
import { createHighlighterCore } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import type { CodeRequest, CodeSpans } from './highlighter.ts'
import { LANGUAGES } from './languages.ts'
import { COLORS, THEME } from './theme.ts'

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
