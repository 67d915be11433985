import { describe, expect, it } from 'vitest'
import { isPlainSource } from './c-source.ts'

const MAIN = 'int main(void) { return 0; }\n'

describe('a C source that reads no other file when it is compiled', () => {
  it.each([
    MAIN,
    `#include <stdio.h>\n#define N 3\n\n/* a comment */\nint main(int argc, char **argv) {\n  printf("%d\\n", N);\n}\n`,
    `#ifdef A\n# include <math.h>\n#endif\n${MAIN}`,
  ])('is plain', (text) => {
    expect(isPlainSource(text)).toBe(true)
  })

  it.each([
    '#include "notes.h"',
    '#include "/root/.ssh/id_rsa"',
    '#include </root/.ssh/id_rsa>',
    '#include <../x.h>',
    '#include <sys/cdefs.h>',
    '#define F "/x"\n#include F',
    '/*\n*/ #include "/x"',
    '/**/ #include "/x"',
    '#inc\\\nlude "/x"',
    '??=include "/x"',
    '%:include "/x"',
    '#embed "/x"',
    '# 1 "/x"',
    '#line 1 "/x"',
    '#ident "x"',
    '#pragma GCC x',
    '_Pragma("x")',
    'asm(".incbin \\"/x\\"");',
    '__asm__("x");',
    '#define J(a, b) a##b\nJ(as, m)("x");',
    'int x __attribute__((section("x\\n.print")));',
    '[[gnu::section("x")]] int x;',
    'int \\u0041;',
    'int x; #include "/x"',
    'int caf\u00e9;',
    'x\0y',
  ])('is not plain: %j', (text) => {
    expect(isPlainSource(`${text}\n${MAIN}`)).toBe(false)
  })
})
