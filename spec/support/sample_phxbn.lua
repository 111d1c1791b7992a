--- .phxbn files written from formats/wolfire.md#3, byte by byte: not made by lathe. Three points above each
-- other, two bones between them, one face.

local hex = require "hex"

local sample = {}

-- Version 5 stores no version: the first number is the stage. No weights.
sample.v5_bare = hex [[
  00 00 00 00  ; rigging stage 0
  03 00 00 00  ; 3 points
    00 00 00 00 00 00 00 3F 00 00 80 3E  ; point 0, 0.5, 0.25
    00 00 00 00 00 00 80 3F 00 00 80 3E  ; point 0, 1, 0.25
    00 00 00 00 00 00 E0 3F 00 00 00 BE  ; point 0, 1.75, -0.125
  02 00 00 00  ; 2 bones
    00 00 00 00 01 00 00 00  ; from point 0 to 1
    01 00 00 00 02 00 00 00  ; from point 1 to 2
]]

-- Version 5 with weights, whose number it does not say.
sample.v5 = hex [[
  01 00 00 00  ; rigging stage 1
  03 00 00 00  ; 3 points
    00 00 00 00 00 00 00 3F 00 00 80 3E  ; point 0, 0.5, 0.25
    00 00 00 00 00 00 80 3F 00 00 80 3E  ; point 0, 1, 0.25
    00 00 00 00 00 00 E0 3F 00 00 00 BE  ; point 0, 1.75, -0.125
  02 00 00 00  ; 2 bones
    00 00 00 00 01 00 00 00  ; from point 0 to 1
    01 00 00 00 02 00 00 00  ; from point 1 to 2
    00 00 40 3F 00 00 80 3E 00 00 00 00 00 00 00 00  ; weights
    00 00 80 3F 00 00 00 00 00 00 00 00 00 00 00 00  ; weights
    00 00 00 3F 00 00 80 3E 00 00 00 3E 00 00 00 3E  ; weights
    00 00 80 3F 00 00 00 00 00 00 00 00 00 00 00 00  ; bones, as floats
    00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00  ; bones, as floats
    00 00 80 3F 00 00 00 00 00 00 80 3F 00 00 00 00  ; bones, as floats
  FF FF FF FF 00 00 00 00  ; parents in the hierarchy
  03 00 00 00  ; 3 joints
    00 00 00 00 00 00 00 BF 00 00 C0 3F  ; hinge: limits
    01 00 00 00 00 00 00 00 00 00 80 3F 00 00 00 00 00 00 00 00  ; child, parent, axis
    01 00 00 00 00 00 00 BF 00 00 00 3F 00 00 80 BE  ; amotor: six limits
    00 00 40 3F 00 00 80 BF 00 00 00 3E  ; and the other three
    01 00 00 00 00 00 00 00  ; child, parent
    02 00 00 00 01 00 00 00 00 00 00 00  ; fixed: child, parent
]]

-- Masses and centres of mass.
sample.v7_bare = hex [[
  07 00 00 00  ; version 7
  03 00 00 00  ; rigging stage 3
  03 00 00 00  ; 3 points
    00 00 00 00 00 00 00 3F 00 00 80 3E  ; point 0, 0.5, 0.25
    00 00 00 00 00 00 80 3F 00 00 80 3E  ; point 0, 1, 0.25
    00 00 00 00 00 00 E0 3F 00 00 00 BE  ; point 0, 1.75, -0.125
  02 00 00 00  ; 2 bones
    00 00 00 00 01 00 00 00  ; from point 0 to 1
    01 00 00 00 02 00 00 00  ; from point 1 to 2
  00 00 20 40 00 00 A0 3F  ; masses
  00 00 00 00 00 00 40 3F 00 00 80 3E  ; centre of mass
  00 00 00 00 00 00 B0 3F 00 00 80 3D  ; centre of mass
]]

-- Parents of points and bones; the stage that the game takes for another.
sample.v8 = hex [[
  08 00 00 00  ; version 8
  02 00 00 00  ; rigging stage 2
  03 00 00 00  ; 3 points
    00 00 00 00 00 00 00 3F 00 00 80 3E  ; point 0, 0.5, 0.25
    00 00 00 00 00 00 80 3F 00 00 80 3E  ; point 0, 1, 0.25
    00 00 00 00 00 00 E0 3F 00 00 00 BE  ; point 0, 1.75, -0.125
  FF FF FF FF 00 00 00 00 01 00 00 00  ; parents of points
  02 00 00 00  ; 2 bones
    00 00 00 00 01 00 00 00  ; from point 0 to 1
    01 00 00 00 02 00 00 00  ; from point 1 to 2
  FF FF FF FF 00 00 00 00  ; parents of bones
  00 00 20 40 00 00 A0 3F  ; masses
  00 00 00 00 00 00 40 3F 00 00 80 3E  ; centre of mass
  00 00 00 00 00 00 B0 3F 00 00 80 3D  ; centre of mass
    00 00 40 3F 00 00 80 3E 00 00 00 00 00 00 00 00  ; weights
    00 00 80 3F 00 00 00 00 00 00 00 00 00 00 00 00  ; weights
    00 00 00 3F 00 00 80 3E 00 00 00 3E 00 00 00 3E  ; weights
    00 00 80 3F 00 00 00 00 00 00 00 00 00 00 00 00  ; bones, as floats
    00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00  ; bones, as floats
    00 00 80 3F 00 00 00 00 00 00 80 3F 00 00 00 00  ; bones, as floats
  FF FF FF FF 00 00 00 00  ; parents in the hierarchy
  03 00 00 00  ; 3 joints
    00 00 00 00 00 00 00 BF 00 00 C0 3F  ; hinge: limits
    01 00 00 00 00 00 00 00 00 00 80 3F 00 00 00 00 00 00 00 00  ; child, parent, axis
    01 00 00 00 00 00 00 BF 00 00 00 3F 00 00 80 BE  ; amotor: six limits
    00 00 40 3F 00 00 80 BF 00 00 00 3E  ; and the other three
    01 00 00 00 00 00 00 00  ; child, parent
    02 00 00 00 01 00 00 00 00 00 00 00  ; fixed: child, parent
]]

-- Matrices and IK bones; still no number of corners.
sample.v10 = hex [[
  0A 00 00 00  ; version 10
  01 00 00 00  ; rigging stage 1
  03 00 00 00  ; 3 points
    00 00 00 00 00 00 00 3F 00 00 80 3E  ; point 0, 0.5, 0.25
    00 00 00 00 00 00 80 3F 00 00 80 3E  ; point 0, 1, 0.25
    00 00 00 00 00 00 E0 3F 00 00 00 BE  ; point 0, 1.75, -0.125
  FF FF FF FF 00 00 00 00 01 00 00 00  ; parents of points
  02 00 00 00  ; 2 bones
    00 00 00 00 01 00 00 00  ; from point 0 to 1
    01 00 00 00 02 00 00 00  ; from point 1 to 2
  FF FF FF FF 00 00 00 00  ; parents of bones
  00 00 20 40 00 00 A0 3F  ; masses
  00 00 00 00 00 00 40 3F 00 00 80 3E  ; centre of mass
  00 00 00 00 00 00 B0 3F 00 00 80 3D  ; centre of mass
    00 00 80 BF 00 00 00 00 00 00 00 00 00 00 00 00  ; column 0
    00 00 00 00 00 00 00 00 00 00 80 3F 00 00 00 00  ; column 1
    00 00 00 00 00 00 80 3F 00 00 00 00 00 00 00 00  ; column 2
    00 00 00 00 00 00 00 00 00 00 00 00 00 00 80 3F  ; column 3
    00 00 00 3F 00 00 00 00 00 00 00 00 00 00 00 00  ; column 0
    00 00 00 00 00 00 00 40 00 00 00 00 00 00 00 00  ; column 1
    00 00 00 00 00 00 00 00 00 00 80 C0 00 00 00 00  ; column 2
    00 00 E0 40 00 00 00 41 00 00 10 41 00 00 80 3F  ; column 3
    00 00 40 3F 00 00 80 3E 00 00 00 00 00 00 00 00  ; weights
    00 00 80 3F 00 00 00 00 00 00 00 00 00 00 00 00  ; weights
    00 00 00 3F 00 00 80 3E 00 00 00 3E 00 00 00 3E  ; weights
    00 00 80 3F 00 00 00 00 00 00 00 00 00 00 00 00  ; bones, as floats
    00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00  ; bones, as floats
    00 00 80 3F 00 00 00 00 00 00 80 3F 00 00 00 00  ; bones, as floats
  FF FF FF FF 00 00 00 00  ; parents in the hierarchy
  03 00 00 00  ; 3 joints
    00 00 00 00 00 00 00 BF 00 00 C0 3F  ; hinge: limits
    01 00 00 00 00 00 00 00 00 00 80 3F 00 00 00 00 00 00 00 00  ; child, parent, axis
    01 00 00 00 00 00 00 BF 00 00 00 3F 00 00 80 BE  ; amotor: six limits
    00 00 40 3F 00 00 80 BF 00 00 00 3E  ; and the other three
    01 00 00 00 00 00 00 00  ; child, parent
    02 00 00 00 01 00 00 00 00 00 00 00  ; fixed: child, parent
  02 00 00 00  ; 2 IK bones
    01 00 00 00 02 00 00 00 05 00 00 00 74 6F 72 73 6F  ; tip 1, 2 bones, "torso"
    00 00 00 00 01 00 00 00 04 00 00 00 68 65 61 64  ; tip 0, 1 bone, "head"
]]

-- All there is.
sample.v11 = hex [[
  0B 00 00 00  ; version 11
  01 00 00 00  ; rigging stage 1
  03 00 00 00  ; 3 points
    00 00 00 00 00 00 00 3F 00 00 80 3E  ; point 0, 0.5, 0.25
    00 00 00 00 00 00 80 3F 00 00 80 3E  ; point 0, 1, 0.25
    00 00 00 00 00 00 E0 3F 00 00 00 BE  ; point 0, 1.75, -0.125
  FF FF FF FF 00 00 00 00 01 00 00 00  ; parents of points
  02 00 00 00  ; 2 bones
    00 00 00 00 01 00 00 00  ; from point 0 to 1
    01 00 00 00 02 00 00 00  ; from point 1 to 2
  FF FF FF FF 00 00 00 00  ; parents of bones
  00 00 20 40 00 00 A0 3F  ; masses
  00 00 00 00 00 00 40 3F 00 00 80 3E  ; centre of mass
  00 00 00 00 00 00 B0 3F 00 00 80 3D  ; centre of mass
    00 00 80 BF 00 00 00 00 00 00 00 00 00 00 00 00  ; column 0
    00 00 00 00 00 00 00 00 00 00 80 3F 00 00 00 00  ; column 1
    00 00 00 00 00 00 80 3F 00 00 00 00 00 00 00 00  ; column 2
    00 00 00 00 00 00 00 00 00 00 00 00 00 00 80 3F  ; column 3
    00 00 00 3F 00 00 00 00 00 00 00 00 00 00 00 00  ; column 0
    00 00 00 00 00 00 00 40 00 00 00 00 00 00 00 00  ; column 1
    00 00 00 00 00 00 00 00 00 00 80 C0 00 00 00 00  ; column 2
    00 00 E0 40 00 00 00 41 00 00 10 41 00 00 80 3F  ; column 3
  03 00 00 00  ; 3 face corners
    00 00 40 3F 00 00 80 3E 00 00 00 00 00 00 00 00  ; weights
    00 00 80 3F 00 00 00 00 00 00 00 00 00 00 00 00  ; weights
    00 00 00 3F 00 00 80 3E 00 00 00 3E 00 00 00 3E  ; weights
    00 00 80 3F 00 00 00 00 00 00 00 00 00 00 00 00  ; bones, as floats
    00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00  ; bones, as floats
    00 00 80 3F 00 00 00 00 00 00 80 3F 00 00 00 00  ; bones, as floats
  FF FF FF FF 00 00 00 00  ; parents in the hierarchy
  03 00 00 00  ; 3 joints
    00 00 00 00 00 00 00 BF 00 00 C0 3F  ; hinge: limits
    01 00 00 00 00 00 00 00 00 00 80 3F 00 00 00 00 00 00 00 00  ; child, parent, axis
    01 00 00 00 00 00 00 BF 00 00 00 3F 00 00 80 BE  ; amotor: six limits
    00 00 40 3F 00 00 80 BF 00 00 00 3E  ; and the other three
    01 00 00 00 00 00 00 00  ; child, parent
    02 00 00 00 01 00 00 00 00 00 00 00  ; fixed: child, parent
  02 00 00 00  ; 2 IK bones
    01 00 00 00 02 00 00 00 05 00 00 00 74 6F 72 73 6F  ; tip 1, 2 bones, "torso"
    00 00 00 00 01 00 00 00 04 00 00 00 68 65 61 64  ; tip 0, 1 bone, "head"
]]

-- What the add-ons write for a skeleton that they had imported: an old number, the new layout.
sample.v9_as_v11 = hex [[
  09 00 00 00  ; version 9
  01 00 00 00  ; rigging stage 1
  03 00 00 00  ; 3 points
    00 00 00 00 00 00 00 3F 00 00 80 3E  ; point 0, 0.5, 0.25
    00 00 00 00 00 00 80 3F 00 00 80 3E  ; point 0, 1, 0.25
    00 00 00 00 00 00 E0 3F 00 00 00 BE  ; point 0, 1.75, -0.125
  FF FF FF FF 00 00 00 00 01 00 00 00  ; parents of points
  02 00 00 00  ; 2 bones
    00 00 00 00 01 00 00 00  ; from point 0 to 1
    01 00 00 00 02 00 00 00  ; from point 1 to 2
  FF FF FF FF 00 00 00 00  ; parents of bones
  00 00 20 40 00 00 A0 3F  ; masses
  00 00 00 00 00 00 40 3F 00 00 80 3E  ; centre of mass
  00 00 00 00 00 00 B0 3F 00 00 80 3D  ; centre of mass
    00 00 80 BF 00 00 00 00 00 00 00 00 00 00 00 00  ; column 0
    00 00 00 00 00 00 00 00 00 00 80 3F 00 00 00 00  ; column 1
    00 00 00 00 00 00 80 3F 00 00 00 00 00 00 00 00  ; column 2
    00 00 00 00 00 00 00 00 00 00 00 00 00 00 80 3F  ; column 3
    00 00 00 3F 00 00 00 00 00 00 00 00 00 00 00 00  ; column 0
    00 00 00 00 00 00 00 40 00 00 00 00 00 00 00 00  ; column 1
    00 00 00 00 00 00 00 00 00 00 80 C0 00 00 00 00  ; column 2
    00 00 E0 40 00 00 00 41 00 00 10 41 00 00 80 3F  ; column 3
  03 00 00 00  ; 3 face corners
    00 00 40 3F 00 00 80 3E 00 00 00 00 00 00 00 00  ; weights
    00 00 80 3F 00 00 00 00 00 00 00 00 00 00 00 00  ; weights
    00 00 00 3F 00 00 80 3E 00 00 00 3E 00 00 00 3E  ; weights
    00 00 80 3F 00 00 00 00 00 00 00 00 00 00 00 00  ; bones, as floats
    00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00  ; bones, as floats
    00 00 80 3F 00 00 00 00 00 00 80 3F 00 00 00 00  ; bones, as floats
  FF FF FF FF 00 00 00 00  ; parents in the hierarchy
  00 00 00 00  ; no joints
  02 00 00 00  ; 2 IK bones
    01 00 00 00 02 00 00 00 05 00 00 00 74 6F 72 73 6F  ; tip 1, 2 bones, "torso"
    00 00 00 00 01 00 00 00 04 00 00 00 68 65 61 64  ; tip 0, 1 bone, "head"
]]

return sample
