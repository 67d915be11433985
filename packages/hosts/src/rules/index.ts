/**
 * Reads the rules that coding agents have of their own.
 * @module
 */
export { readAdh } from './adh.ts'
export { allowedInProject, withheld } from './carried.ts'
export { readClaudeCode } from './claude-code.ts'
export { readCodex } from './codex.ts'
export { findForeignFiles } from './foreign-files.ts'
export { readGemini } from './gemini.ts'
export { rulesOf, unread } from './own-rules.ts'
export { rulesInStart } from './start-rules.ts'
export { readVsCode } from './vscode.ts'
