import { finding, type RiskFinding } from '../report/finding.ts'

const MAX_TEXT = 64 * 1024
const STARTS = /^\s*(?:optional\s+)?(?:match|merge|create|unwind|call|with|foreach|load|drop)\b/i

/** Rates a query of a graph database; null when the text is none. */
export function rateCypher(text: string): RiskFinding | null {
  if (!STARTS.test(text.slice(0, 64))) return null
  if (text.length > MAX_TEXT) return finding('high', 'cypher.long', 'the query is too long to be read', 'unknown')
  const bare = text.replace(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\/\/[^\n]*/g, ' ').toLowerCase()
  const chosen = /\bwhere\b|\{/.test(bare)
  if (/\bdelete\b/.test(bare)) {
    return chosen
      ? finding('high', 'cypher.delete', 'deletes nodes or relations', 'no', { reach: 'several' })
      : finding('critical', 'cypher.delete-all', 'deletes every node or relation it matches', 'no', { reach: 'all' })
  }
  if (/\bdrop\b|\bload\s+csv\b|\bcall\s+(?:apoc|dbms)\b/.test(bare))
    return finding('high', 'cypher.powerful', 'drops, loads files or runs procedures in the database')
  if (/\b(?:set|create|merge|remove)\b/.test(bare))
    return finding('high', 'cypher.change', 'changes nodes or relations')
  return finding('none', 'cypher.read', 'only reads data')
}
