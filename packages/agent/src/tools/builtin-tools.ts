import type { AgentTool } from './definition/agent-tool.ts'
import { executeCommandTool } from './execute-command.ts'
import { applyDiffTool } from './files/apply-diff.ts'
import { createDirectoryTool, listDirectoryTool } from './files/directories.ts'
import { deleteFileTool, moveFileTool } from './files/move-file.ts'
import { readFileTool } from './files/read-file.ts'
import { editFileTool, writeFileTool } from './files/write-file.ts'
import { searchTool } from './search/search-files.ts'
import { fetchUrlTool } from './web/fetch-url.ts'

/** The built-in tools, in the order offered to a model. */
export const BUILTIN_TOOLS: readonly AgentTool[] = [
  readFileTool,
  listDirectoryTool,
  searchTool,
  writeFileTool,
  editFileTool,
  applyDiffTool,
  moveFileTool,
  deleteFileTool,
  createDirectoryTool,
  executeCommandTool,
  fetchUrlTool,
]
