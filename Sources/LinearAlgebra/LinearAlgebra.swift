// LinearAlgebra
