const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  const error = new Error(
    `@countersign/node needs Node 22.18 or newer and this is ${process.versions.node}; install Node 24`,
  )
  error.stack = `Error: ${error.message}` // the stack would not help
  throw error
}

/**
 * Node's SQLite. Taken at run time: an `import` of a module that an old Node does not have fails before the check above
 * can say what is wrong. The first import of the package, for the same reason.
 */
export const DatabaseSync = process.getBuiltinModule('node:sqlite').DatabaseSync
export type DatabaseSync = InstanceType<typeof DatabaseSync>
